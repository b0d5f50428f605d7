// Differences one after another, without end: each begins at the state that the one before led to.
import { atCaller } from '../errors/at-caller.ts'
import { OctavoError } from '../errors/octavo-error.ts'
import { inspectedAs } from '../inspect/inspected-as.ts'
import type { DifferencePage, Reached, RestartReason } from './change.ts'
import { Difference, isExpired, isGone } from './difference.ts'

export interface FollowSettings<Item> {
  readonly since: string | undefined
  /** Reads the changes since this state, waiting for one if there is none; without a state, all objects. */
  readonly read: (since: string | undefined) => AsyncIterator<DifferencePage<Item>, undefined>
  readonly onExpired: 'restart' | 'fail'
  readonly onState: (state: Reached) => void | Promise<void>
  readonly signal: AbortSignal | undefined
  /** Waits after an answer without changes, if it came before the service had waited as asked. */
  readonly rest: (sinceMilliseconds: number) => Promise<void>
}

/** Otherwise a copy that is too slow would begin again for ever. */
const mostLost = 3

/**
 * All differences from a state on, as they happen. Loop over it, and read each difference to its end: when the loop asks for the
 * next one, the one before counts as applied. `each` does the same with a function.
 */
export class Follow<Item> implements AsyncIterable<Difference<Item>> {
  readonly #settings: FollowSettings<Item>
  #since: string | undefined
  #restarts: RestartReason | undefined
  #given: Difference<Item> | undefined
  #pages: AsyncIterator<DifferencePage<Item>, undefined> | undefined
  /** How many differences in a row could not be read to their ends. */
  #lost = 0
  #differences = 0

  constructor(settings: FollowSettings<Item>) {
    this.#settings = settings
    this.#since = settings.since
    if (settings.since === undefined) this.#restarts = 'first'
    inspectedAs(this, 'Follow', () => ({ differences: this.#differences, lost: this.#lost }))
  }

  [Symbol.asyncIterator](): AsyncIterableIterator<Difference<Item>> {
    const next = () => atCaller(next, () => this.#next())
    const iterator: AsyncIterableIterator<Difference<Item>> = {
      [Symbol.asyncIterator]: () => iterator,
      next,
      return: async () => {
        await this.#pages?.return?.()
        return { done: true, value: undefined }
      },
    }
    return iterator
  }

  /**
   * Calls the function with each difference, one after another, until the signal is aborted. If a difference is lost while the
   * function reads it, the function is called again with another one from the same state; so let it apply a difference and
   * keep its token in one transaction, which fails if the function does.
   */
  readonly each = (apply: (difference: Difference<Item>) => Promise<void>): Promise<void> =>
    atCaller(this.each, async () => {
      const { signal } = this.#settings
      for await (const difference of this) {
        try {
          await apply(difference)
        } catch (error) {
          if (signal?.aborted && error === signal.reason) return
          if (!difference.isLost) throw error
        }
      }
    })

  async #next(): Promise<IteratorResult<Difference<Item>>> {
    await this.#goOn()
    const { signal, rest, onExpired } = this.#settings
    for (;;) {
      const began = performance.now()
      const pages = this.#settings.read(this.#since)
      this.#pages = pages
      try {
        signal?.throwIfAborted()
        const first = await pages.next()
        if (!first.done) {
          if (!this.#isSame(first.value)) return this.#give(first.value, pages)
          // A token of the same state that was sealed just now. The key of the old one may be retired one day (P242).
          this.#since = first.value.reached.snapshotToken || this.#since
        }
        await rest(performance.now() - began)
      } catch (error) {
        // Between two differences nothing is half done, so the loop simply ends.
        if (signal?.aborted) return { done: true, value: undefined }
        if (isGone(error)) this.#countLost()
        else if (onExpired === 'fail' || !isExpired(error)) throw error
        else [this.#since, this.#restarts] = [undefined, error.parameters.reason]
      }
    }
  }

  /** Whether the service has waited, and nothing has changed. */
  #isSame({ reached }: DifferencePage<Item>): boolean {
    return this.#since !== undefined && reached.fromVersion === reached.toVersion
  }

  #give(
    first: DifferencePage<Item>,
    pages: AsyncIterator<DifferencePage<Item>, undefined>,
  ): IteratorResult<Difference<Item>> {
    const value = new Difference<Item>({ first, pages, ...this.#settings, restarts: this.#restarts })
    this.#given = value
    this.#differences += 1
    return { done: false, value }
  }

  /** Moves to the state that the last difference led to, or stays where that was lost. */
  async #goOn(): Promise<void> {
    const given = this.#given
    if (given === undefined) return
    if (given.isLost) {
      this.#given = undefined
      return this.#countLost()
    }
    // This throws if it was not read to its end, and throws again if the loop continues.
    const { snapshotToken, fromVersion, toVersion, totalCount, checksum } = given
    this.#given = undefined
    this.#since = snapshotToken
    this.#restarts = undefined
    this.#lost = 0
    await this.#settings.onState({ snapshotToken, fromVersion, toVersion, totalCount, checksum })
  }

  #countLost(): void {
    this.#lost += 1
    if (this.#lost < mostLost) return
    throw new OctavoError({
      errorName: 'ConsistentSnapshotError',
      parameters: {},
      sentence: `The changes could not be read to their end ${mostLost} times in a row, because the service no longer kept the state that they lead to. Take less time for each page, or let the service keep states for longer.`,
    })
  }
}
