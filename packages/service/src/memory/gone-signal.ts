/** Says that nobody waits for an answer any longer. Any AbortSignal does; those of requests are a `Gone`. */
export interface GoneSignal {
  readonly aborted: boolean
  readonly reason: unknown
  readonly throwIfAborted: () => void
  readonly addEventListener: (name: 'abort', listener: () => void) => void
  readonly removeEventListener: (name: 'abort', listener: () => void) => void
}

/** An AbortController with its signal, without what events are in browsers: every request has one, and few are ever aborted. */
export class Gone implements GoneSignal {
  aborted = false
  reason: unknown
  readonly #listeners: (() => void)[] = []

  abort(reason: unknown = new Error('The client is gone.')): void {
    if (this.aborted) return
    this.aborted = true
    this.reason = reason
    for (const listener of this.#listeners.splice(0)) listener()
  }

  throwIfAborted(): void {
    if (this.aborted) throw this.reason
  }

  addEventListener(_name: 'abort', listener: () => void): void {
    this.#listeners.push(listener)
  }

  removeEventListener(_name: 'abort', listener: () => void): void {
    const at = this.#listeners.indexOf(listener)
    if (at !== -1) this.#listeners.splice(at, 1)
  }
}
