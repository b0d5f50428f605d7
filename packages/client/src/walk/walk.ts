import type { Transport } from '../transport/transport.ts'
import { checkOptions, invalidOption, isWhole } from '../options/check-options.ts'
import { atCaller } from '../errors/at-caller.ts'
import type { ContinueWith } from '../errors/error-parameters.ts'
import { OctavoError } from '../errors/octavo-error.ts'
import { inspectedAs } from '../inspect/inspected-as.ts'
import { noticeOf, type Page, type WalkNotice } from './check-page.ts'
import { streamReader } from './read-stream.ts'
import { askEarly, guessPageToken, type EarlyAnswer } from './early-answer.ts'
import { readPage, type ReadPage } from './read-page.ts'
import { saveWalk } from './saved-walk.ts'
import { startOfWalk, type WalkPosition } from './walk-position.ts'
import { withSnapshotToken, type WalkRequest } from './walk-request.ts'

export interface WalkSettings {
  readonly signal?: AbortSignal | undefined
  /** How many pages are prefetched. */
  readonly readAhead: number
  readonly onSnapshotGone: 'restart' | 'continue' | 'fail'
  /** Reports the changes to the objects that were returned, up to the state in which the walk continues. */
  readonly tellChanges?: (continueWith: ContinueWith) => Promise<unknown>
  readonly onNotice?: ((notice: WalkNotice) => void) | undefined
  /** Called with the end of the walk before its last page is handed out; it may throw. */
  readonly endsAt?: (position: WalkPosition) => void
}

/** The state of a saved walk. */
export interface WalkStart<Item> {
  readonly position: WalkPosition
  /** Objects of the last page that have not been returned yet. */
  readonly rest: readonly Item[]
}

/** Otherwise a server that keeps losing snapshots would be asked for ever. */
const mostRestarts = 3

/**
 * One pass over a collection, from its first page to its last. A walk remembers its position; a second loop continues there.
 * Iterate over the walk itself for objects, over `pages()` for pages.
 */
export class Walk<Item> implements AsyncIterable<Item> {
  readonly #transport: Transport
  #request: WalkRequest
  readonly #settings: WalkSettings
  /** Reads the pages of a stream. */
  #fromStream: ReturnType<typeof streamReader<Item>> | undefined
  /** The position after the current page. */
  #position: WalkPosition
  #page: Page<Item>
  /** How many objects of the current page have been returned. */
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
    if (isStream(request)) this.#fromStream = streamReader(transport, request)
    this.#position = start.position
    this.#page = { data: start.rest }
    inspectedAs(this, 'Walk', () => ({
      path: request.path,
      snapshot: request.snapshot,
      objects: this.#position.objects - this.#page.data.length + this.#handedOut,
      ended: this.#position.ended && this.#isUsedUp(),
      restarts: this.#restarts,
      ...(this.continuations > 0 && { continuations: this.continuations }),
    }))
  }

  /**
   * How many times the walk started over because its snapshot was gone. Objects from before a restart are returned again.
   */
  get restarts(): number {
    return this.#restarts
  }

  /** How many times the walk continued in a later state because its own was gone, with `onSnapshotGone: 'continue'`. */
  get continuations(): number {
    return this.#position.continuations ?? 0
  }

  /**
   * The sums over the pages so far: the number of objects, and the sum of their hashes where it is known. The sums of all partitions
   * of a split are its checksum, wherever they were read.
   */
  get received(): { readonly objects: number; readonly checksum?: string } {
    const { objects, checksum } = this.#position
    return { objects, ...(checksum !== undefined && { checksum }) }
  }

  [Symbol.asyncIterator](): AsyncIterableIterator<Item> {
    const next = () => this.#next(next)
    const iterator: AsyncIterableIterator<Item> = {
      [Symbol.asyncIterator]: () => iterator,
      next,
      return: () => this.#leave(),
    }
    return iterator
  }

  /** Iterates page by page. If a page was left halfway, the first page returned is its remaining objects. */
  pages(): AsyncIterableIterator<Page<Item>> {
    let last: Promise<unknown> = Promise.resolve()
    const next = () =>
      atCaller(next, () => {
        // Calls run one after another; otherwise two callers would get the same page.
        const page = last.then(() => this.#takeRest())
        last = page.catch(() => {})
        return page
      })
    const iterator: AsyncIterableIterator<Page<Item>> = {
      [Symbol.asyncIterator]: () => iterator,
      next,
      return: () => this.#leave(),
    }
    return iterator
  }

  /** Reads only the first page. The walk does not advance. */
  readonly firstPage = (): Promise<Page<Item>> =>
    atCaller(this.firstPage, async () => {
      const signals = [this.#settings.signal]
      return (await readPage<Item>(this.#transport, this.#request, { at: startOfWalk, signals })).page
    })

  /**
   * The remaining objects of the walk, all in memory. If there are more than `limit`, it throws `TooManyObjects`: it never leaves
   * objects out. The walk has then advanced, so start a new one.
   */
  readonly toArray = (options: { readonly limit?: number } = {}): Promise<Item[]> =>
    atCaller(this.toArray, async () => {
      checkOptions('toArray()', options, { limit: [isWhole, 'a whole number, 0 or more', /max|size|count/i] })
      if (this.#settings.onSnapshotGone === 'continue') throw changesNotInArray()
      const { limit = Infinity } = options
      let [items, restarts]: [Item[], number] = [[], this.#restarts]
      for await (const { data } of this.pages()) {
        // A restarted walk returns all its objects again.
        if (this.#restarts > restarts) [items, restarts] = [[], this.#restarts]
        if (items.length + data.length > limit) throw tooMany(limit)
        for (const item of data) items.push(item)
      }
      return items
    })

  /**
   * The walk's position as text, for `client.resume`, which returns exactly the objects that were not returned yet. The text
   * holds no credentials. In the middle of a page it holds the remaining objects of that page, so it is shortest between two
   * pages.
   */
  save(): string {
    return saveWalk({
      request: this.#request,
      position: this.#position,
      rest: this.#page.data.slice(this.#handedOut),
    })
  }

  // Not an async function, so that each object of the current page costs one promise and no more.
  #next(called: () => unknown): Promise<IteratorResult<Item>> {
    const { data } = this.#page
    if (this.#handedOut >= data.length) return atCaller(called, () => this.#nextAfterTurning(called))
    if (this.#settings.signal?.aborted) return Promise.reject(this.#settings.signal.reason as Error)
    const value = data[this.#handedOut] as Item
    this.#handedOut += 1
    return Promise.resolve({ done: false, value })
  }

  async #nextAfterTurning(called: () => unknown): Promise<IteratorResult<Item>> {
    // Loops more than once when several callers wait for the same page, or when the last page is empty.
    while (this.#isUsedUp()) if (!(await this.#turn())) return { done: true, value: undefined }
    return this.#next(called)
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

  /** Replaces the current page with the next one; false at the end. Concurrent callers share one call. */
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
    if (read.next.ended) this.#settings.endsAt?.(read.next)
    const notice = this.#settings.onNotice && noticeOf(this.#request, this.#position, read)
    if (notice) this.#settings.onNotice?.(notice)
    this.#page = read.page
    this.#handedOut = 0
    this.#position = read.next
    this.#fillAhead(this.#settings.readAhead)
    return true
  }

  async #nextPage(): Promise<ReadPage<Item> | undefined> {
    for (let fruitless = 0; ; fruitless += 1) {
      this.#fillAhead(1)
      try {
        return await this.#ahead.shift()
      } catch (error) {
        // The pages that were to follow the failed one failed with it. The walk stays at its position, so the caller can try
        // again.
        this.#dropAhead()
        if (!(error instanceof OctavoError) || fruitless >= mostRestarts) throw error
        if (this.#settings.onSnapshotGone === 'continue') await this.#continueLater(error)
        else this.#restart(error)
      }
    }
  }

  #restart(error: OctavoError): void {
    const isGone = error.errorName === 'ConsistentSnapshotError'
    const restarts = isGone && this.#settings.onSnapshotGone === 'restart' && this.#restarts < mostRestarts
    if (!restarts) throw error
    this.#restarts += 1
    this.#position = startOfWalk
  }

  /** If this fails, the walk stays where it is: the next attempt reports all changes since its state, up to a later one. */
  async #continueLater(error: OctavoError): Promise<void> {
    const { tellChanges } = this.#settings
    const { continueWith } = error.parameters as { readonly continueWith?: ContinueWith }
    if (continueWith === undefined || tellChanges === undefined) throw error
    try {
      await tellChanges(continueWith)
    } catch (failure) {
      // The state to continue in is gone before all changes were read: there is a later one.
      if (failure instanceof OctavoError && failure.errorName === 'ConsistentSnapshotError') return
      throw failure
    }
    const { pages, objects } = this.#position
    this.#position = {
      ended: false,
      pageToken: continueWith.pageToken,
      pages,
      objects,
      continuations: this.continuations + 1,
    }
    this.#request = withSnapshotToken(this.#request, continueWith.toSnapshotToken)
    if (isStream(this.#request)) this.#fromStream = streamReader(this.#transport, this.#request)
  }

  /** A chain: each page is requested as soon as the previous one has arrived, up to `count` pages. */
  #fillAhead(count: number): void {
    while (this.#ahead.length < count) {
      const before = this.#ahead.at(-1)
      const page =
        before === undefined
          ? this.#readAfter(this.#position)
          : before.then((read) => read && this.#readAfter(read.next))
      // The caller that takes the page handles the failure; this only prevents an unhandled rejection.
      page.catch(() => {})
      this.#ahead.push(page)
    }
  }

  async #readAfter(at: WalkPosition): Promise<ReadPage<Item> | undefined> {
    return at.ended ? undefined : this.#read(at)
  }

  #read(at: WalkPosition): Promise<ReadPage<Item>> {
    if (this.#fromStream !== undefined) return this.#fromStream({ at, signals: this.#signals() })
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

  /** Requests the next page only if a caller is waiting for this one. Otherwise this page was itself read ahead. */
  readonly #askForNext = (bytes: ArrayBuffer): void => {
    if (this.#ahead.length >= this.#settings.readAhead) return
    const pageToken = guessPageToken(bytes)
    if (pageToken === undefined) return
    this.#early?.drop()
    const early = askEarly(this.#transport, this.#request, {
      pageToken,
      signals: this.#signals(),
      // Nothing is requested after an early answer until it is known to be the next page.
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

  /** The caller left the loop, so pages being read ahead are no longer needed. */
  async #leave(): Promise<{ done: true; value: undefined }> {
    this.#stop.abort()
    this.#stop = new AbortController()
    this.#dropAhead()
    return { done: true, value: undefined }
  }
}

const isStream = (request: WalkRequest): boolean => request.kind === 'search' && request.stream === true

const tooMany = (limit: number) =>
  new OctavoError({
    errorName: 'TooManyObjects',
    parameters: { limit },
    sentence: `The walk has more than ${limit} objects, the limit that was set. Nothing was left out silently: raise the limit, narrow the query, or loop over the walk, which needs no memory for all of them.`,
  })

const changesNotInArray = () =>
  invalidOption(
    'onSnapshotGone',
    "toArray() does not take the changes of objects that it already has: loop over a walk with onSnapshotGone: 'continue', or use 'restart'.",
  )
