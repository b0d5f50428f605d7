import { atCaller } from '../errors/at-caller.ts'
import { OctavoError } from '../errors/octavo-error.ts'
import { inspectedAs } from '../inspect/inspected-as.ts'
import type { Change, DifferencePage, Reached, RestartReason } from './change.ts'

export interface DifferenceSource<Item> {
  readonly pages: AsyncIterator<DifferencePage<Item>, undefined>
  /** The first page, if it was already taken from them. */
  readonly first?: DifferencePage<Item>
  readonly restarts?: RestartReason | undefined
  readonly signal: AbortSignal | undefined
}

/**
 * The difference between two states: each object that has changed, once, as it is in the later one. Iterate over the difference
 * itself for changes, over `pages()` for many at a time. The state that it leads to is available only at its end: only a
 * copy that has all changes is in that state.
 */
export class Difference<Item> implements AsyncIterable<Change<Item>> {
  /**
   * Present if this is a whole copy: every object of the later state is put, so forget those of the copy that you have. It says why.
   * Only `follow` gives such differences.
   */
  declare readonly restarts?: RestartReason
  readonly #source: DifferenceSource<Item>
  #changes: readonly Change<Item>[] = []
  /** How many changes of the current page have been returned. */
  #handedOut = 0
  /** From the current page. */
  #said: Reached | undefined
  #count = 0
  #turning: Promise<boolean> | undefined
  #reached: Reached | undefined
  #isLost = false

  constructor(source: DifferenceSource<Item>) {
    this.#source = source
    if (source.first !== undefined) this.#take(source.first)
    if (source.restarts !== undefined) this.restarts = source.restarts
    inspectedAs(this, 'Difference', () => ({
      ...(this.restarts !== undefined && { restarts: this.restarts }),
      changes: this.#count,
      ...(this.#isLost && { isLost: true }),
      ...(this.#reached ?? { ended: false }),
    }))
  }

  /** Names the later state: the `since` of the next difference. Keep it together with the changes, in one transaction. */
  get snapshotToken(): string {
    return this.#end.snapshotToken
  }

  /** The version of the earlier state. */
  get fromVersion(): string {
    return this.#end.fromVersion
  }

  /** The version of the later state. */
  get toVersion(): string {
    return this.#end.toVersion
  }

  /** How many objects the later state has; undefined if there is a query, or a policy. */
  get totalCount(): string | undefined {
    return this.#end.totalCount
  }

  /** The checksum of all objects of the later state, where a walk would have one. */
  get checksum(): string | undefined {
    return this.#end.checksum
  }

  /** Whether all changes have been returned. */
  get ended(): boolean {
    return this.#reached !== undefined
  }

  /**
   * True once the rest of the difference cannot be read any more. The changes so far are then to be forgotten, as the transaction
   * that failed with them does: begin again with the same `since`, or without one if the error is `ChangesExpired`.
   */
  get isLost(): boolean {
    return this.#isLost
  }

  [Symbol.asyncIterator](): AsyncIterableIterator<Change<Item>> {
    const next = () => this.#next(next)
    const iterator: AsyncIterableIterator<Change<Item>> = {
      [Symbol.asyncIterator]: () => iterator,
      next,
      return: () => this.#leave(),
    }
    return iterator
  }

  /** Iterates over lists of changes, as many at a time as a page has. */
  pages(): AsyncIterableIterator<readonly Change<Item>[]> {
    const next = () =>
      atCaller(next, async (): Promise<IteratorResult<readonly Change<Item>[]>> => {
        while (this.#isUsedUp()) if (!(await this.#turn())) return { done: true, value: undefined }
        const value = this.#changes.slice(this.#handedOut)
        this.#handedOut = this.#changes.length
        this.#count += value.length
        return { done: false, value }
      })
    const iterator: AsyncIterableIterator<readonly Change<Item>[]> = {
      [Symbol.asyncIterator]: () => iterator,
      next,
      return: () => this.#leave(),
    }
    return iterator
  }

  // Not an async function, so that each change of the current page costs one promise and no more.
  #next(called: () => unknown): Promise<IteratorResult<Change<Item>>> {
    const { signal } = this.#source
    if (this.#isUsedUp()) return atCaller(called, () => this.#nextAfterTurning(called))
    if (signal?.aborted) return Promise.reject(signal.reason as Error)
    const value = this.#changes[this.#handedOut] as Change<Item>
    this.#handedOut += 1
    this.#count += 1
    return Promise.resolve({ done: false, value })
  }

  async #nextAfterTurning(called: () => unknown): Promise<IteratorResult<Change<Item>>> {
    while (this.#isUsedUp()) if (!(await this.#turn())) return { done: true, value: undefined }
    return this.#next(called)
  }

  #isUsedUp(): boolean {
    return this.#handedOut >= this.#changes.length
  }

  /** Replaces the current page with the next one; false at the end. Concurrent callers share one call. */
  #turn(): Promise<boolean> {
    this.#turning ??= this.#takePage().finally(() => {
      this.#turning = undefined
    })
    return this.#turning
  }

  async #takePage(): Promise<boolean> {
    const { done, value } = await this.#source.pages.next().catch((error: unknown) => {
      // A first page is refused; after that, the earlier state was lost while the difference was read.
      const isRest = this.#said !== undefined
      this.#isLost ||= isGone(error) || (isRest && isExpired(error))
      throw isGone(error) ? lost(error) : error
    })
    if (done) {
      this.#reached = this.#said
      return false
    }
    this.#take(value)
    return true
  }

  #take({ changes, reached }: DifferencePage<Item>): void {
    this.#changes = changes
    this.#handedOut = 0
    this.#said = reached
  }

  async #leave(): Promise<{ done: true; value: undefined }> {
    await this.#source.pages.return?.()
    return { done: true, value: undefined }
  }

  get #end(): Reached {
    if (this.#reached !== undefined) return this.#reached
    throw new OctavoError({
      errorName: 'UnfinishedDifference',
      parameters: {},
      sentence:
        'The difference has not been read to its end: end the loop over its changes first. A copy without all of them is in no state that a token could name.',
    })
  }
}

/** Whether the later state, or the token that leads to the next page, is no longer kept. */
export const isGone = (error: unknown): error is OctavoError =>
  error instanceof OctavoError &&
  (error.errorName === 'ConsistentSnapshotError' ||
    (error.errorName === 'InvalidPageToken' && error.parameters.reason === 'expired'))

export const isExpired = (error: unknown): error is Extract<OctavoError, { errorName: 'ChangesExpired' }> =>
  error instanceof OctavoError && error.errorName === 'ChangesExpired'

function lost({ errorName, parameters, status, errorCode, errorInstanceId }: OctavoError): OctavoError {
  return new OctavoError({
    errorName,
    parameters,
    sentence:
      'The rest of these changes can no longer be read, because too much time has passed since their first page. Forget those that came, and begin again with the same `since` and without `to`; take less time for each page.',
    ...(status !== undefined && { status }),
    ...(errorCode !== undefined && { errorCode }),
    ...(errorInstanceId !== undefined && { errorInstanceId }),
  })
}
