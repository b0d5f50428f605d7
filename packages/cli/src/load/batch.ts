import type { LineStart } from '../records/line.ts'
import type { BatchMemory } from './batch-memory.ts'
import type { Rejection } from './rejection.ts'

/** Consecutive records of the input that are sent as one request and become one version. */
export interface Batch {
  readonly from: LineStart
  readonly to: LineStart
  readonly records: number
  /** Holds the bytes; returned for reuse once the batch has been sent. */
  readonly memory: BatchMemory
  /** The input line of each record. */
  readonly lines: readonly number[]
  /** The keys of the objects in the batch. */
  readonly keys: ReadonlySet<string>
  /** Records between `from` and `to` that are known to be invalid, so they are not sent. */
  readonly rejections: readonly Rejection[]
}
