import type { Transport } from '../transport/transport.ts'
import { OctavoError } from '../errors/octavo-error.ts'
import type { Page } from './check-page.ts'
import { askEarly, guessPageToken, type EarlyAnswer } from './early-answer.ts'
import { readPage, type ReadPage } from './read-page.ts'
import { saveWalk } from './saved-walk.ts'
import { startOfWalk, type WalkPosition } from './walk-position.ts'
import type { WalkRequest } from './walk-request.ts'

export interface WalkSettings {
  readonly signal?: AbortSignal | undefined
  /** How many pages are fetched before they are asked for. */
  readonly readAhead: number
  readonly onSnapshotGone: 'restart' | 'fail'
}

/** What a saved walk brings along. */
export interface WalkStart<Item> {
  readonly position: WalkPosition
  /** Objects of the last page that were not handed out yet. */
  readonly rest: readonly Item[]
}

/** A server that loses every snapshot at once would otherwise be asked for ever. */
const mostRestarts = 3

/**
 * One reading of a collection from its first page to its last. It has one place: leaving a loop and entering another goes
 * on from there. Iterate over it for objects, over `pages()` for pages.
 */
export class Walk<Item> implements AsyncIterable<Item> {
  readonly #transport: Transport
  readonly #request: WalkRequest
  readonly #settings: WalkSettings
  /** After the page at hand. */
  #position: WalkPosition
  #page: Page<Item>
  /** How many objects of the page at hand were handed out. */
  #handedOut = 0
  #ahead: Promise<ReadPage<Item> | undefined>[] = []
  #early: EarlyAnswer | undefined
  #turning: Promise<boolean> | undefined
  #stop = new AbortController()
  #restarts = 0

  constructor(
    transport: Transport,
    request: WalkRequest,
    settings: WalkSettings,
    start: WalkStart<Item> = { position: startOfWalk, rest: [] },
  ) {
    this.#transport = transport
    this.#request = request
    this.#settings = settings
    this.#position = start.position
    this.#page = { data: start.rest }
  }

  /** How often the walk began again because its snapshot was gone. What came before a restart comes again. */
  get restarts(): number {
    return this.#restarts
  }

  [Symbol.asyncIterator](): AsyncIterableIterator<Item> {
    const iterator: AsyncIterableIterator<Item> = {
      [Symbol.asyncIterator]: () => iterator,
      next: () => this.#next(),
      return: () => this.#leave(),
    }
    return iterator
  }

  /** Page by page; after leaving a page halfway, the first one is its rest. */
  pages(): AsyncIterableIterator<Page<Item>> {
    let last: Promise<unknown> = Promise.resolve()
    const iterator: AsyncIterableIterator<Page<Item>> = {
      [Symbol.asyncIterator]: () => iterator,
      // One after another, or two callers would be given one page.
      next: () => {
        const page = last.then(() => this.#takeRest())
        last = page.catch(() => {})
        return page
      },
      return: () => this.#leave(),
    }
    return iterator
  }

  /** The first page alone. It does not move the walk. */
  async firstPage(): Promise<Page<Item>> {
    const signals = [this.#settings.signal]
    return (await readPage<Item>(this.#transport, this.#request, { at: startOfWalk, signals })).page
  }

  /**
   * The place of the walk as text, for `client.resume`: exactly what was not handed out yet will come. It holds no
   * credentials. In the middle of a page it holds the objects of its rest, so it is shortest between two pages.
   */
  save(): string {
    return saveWalk({
      request: this.#request,
      position: this.#position,
      rest: this.#page.data.slice(this.#handedOut),
    })
  }

  // Not an async function: an object of the page at hand costs one promise and no more.
  #next(): Promise<IteratorResult<Item>> {
    const { data } = this.#page
    if (this.#handedOut >= data.length) return this.#nextAfterTurning()
    if (this.#settings.signal?.aborted) return Promise.reject(this.#settings.signal.reason as Error)
    const value = data[this.#handedOut] as Item
    this.#handedOut += 1
    return Promise.resolve({ done: false, value })
  }

  async #nextAfterTurning(): Promise<IteratorResult<Item>> {
    // More than once when several callers wait for one page, or when the last one is empty.
    while (this.#isUsedUp()) if (!(await this.#turn())) return { done: true, value: undefined }
    return this.#next()
  }

  async #takeRest(): Promise<IteratorResult<Page<Item>>> {
    if (this.#isUsedUp() && !(await this.#turn())) return { done: true, value: undefined }
    const page = this.#page
    const value = this.#handedOut === 0 ? page : { ...page, data: page.data.slice(this.#handedOut) }
    this.#handedOut = page.data.length
    return { done: false, value }
  }

  #isUsedUp(): boolean {
    return this.#handedOut >= this.#page.data.length
  }

  /** Puts the next page in the place of the one at hand; false at the end. One at a time, whoever asks. */
  #turn(): Promise<boolean> {
    this.#turning ??= this.#takePage().finally(() => {
      this.#turning = undefined
    })
    return this.#turning
  }

  async #takePage(): Promise<boolean> {
    this.#settings.signal?.throwIfAborted()
    const read = await this.#nextPage()
    if (read === undefined) return false
    this.#page = read.page
    this.#handedOut = 0
    this.#position = read.next
    this.#fillAhead(this.#settings.readAhead)
    return true
  }

  async #nextPage(): Promise<ReadPage<Item> | undefined> {
    for (;;) {
      this.#fillAhead(1)
      try {
        return await this.#ahead.shift()
      } catch (error) {
        // What was to follow the failed page failed with it. The walk stays where it is and may be asked again.
        this.#dropAhead()
        const isGone = error instanceof OctavoError && error.errorName === 'ConsistentSnapshotError'
        const restarts =
          isGone && this.#settings.onSnapshotGone === 'restart' && this.#restarts < mostRestarts
        if (!restarts) throw error
        this.#restarts += 1
        this.#position = startOfWalk
      }
    }
  }

  /** A chain: each page is asked for as soon as the one before it has arrived, and no more than `count` of them. */
  #fillAhead(count: number): void {
    while (this.#ahead.length < count) {
      const before = this.#ahead.at(-1)
      const page =
        before === undefined
          ? this.#readAfter(this.#position)
          : before.then((read) => read && this.#readAfter(read.next))
      // Whoever takes the page learns of the failure.
      page.catch(() => {})
      this.#ahead.push(page)
    }
  }

  async #readAfter(at: WalkPosition): Promise<ReadPage<Item> | undefined> {
    return at.ended ? undefined : this.#read(at)
  }

  #read(at: WalkPosition): Promise<ReadPage<Item>> {
    const early = this.#early
    this.#early = undefined
    if (early?.pageToken !== at.pageToken) early?.drop()
    return readPage<Item>(this.#transport, this.#request, {
      at,
      signals: this.#signals(),
      early,
      arrived: this.#askForNext,
    })
  }

  /** Only when somebody waits for this page: otherwise it is itself what was read ahead. */
  readonly #askForNext = (bytes: ArrayBuffer): void => {
    if (this.#ahead.length >= this.#settings.readAhead) return
    const pageToken = guessPageToken(bytes)
    if (pageToken === undefined) return
    this.#early?.drop()
    const early = askEarly(this.#transport, this.#request, {
      pageToken,
      signals: this.#signals(),
      // Until it is known to be the next page, nothing follows from it.
      arrived: (next) => {
        if (this.#early !== early) this.#askForNext(next)
      },
    })
    this.#early = early
  }

  #signals(): readonly (AbortSignal | undefined)[] {
    return [this.#settings.signal, this.#stop.signal]
  }

  #dropAhead(): void {
    this.#early?.drop()
    this.#early = undefined
    this.#ahead = []
  }

  /** The loop was left: nobody waits for what is being read ahead. */
  async #leave(): Promise<{ done: true; value: undefined }> {
    this.#stop.abort()
    this.#stop = new AbortController()
    this.#dropAhead()
    return { done: true, value: undefined }
  }
}
