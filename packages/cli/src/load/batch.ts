import type { LinePlace } from '../records/line.ts'
import type { BatchMemory } from './batch-memory.ts'
import type { Rejection } from './rejection.ts'

/** Neighbouring records of the input that are sent as one request and become one version. */
export interface Batch {
  readonly from: LinePlace
  readonly to: LinePlace
  readonly records: number
  /** Where the bytes are; given back when the batch has been sent. */
  readonly memory: BatchMemory
  /** The line of the input of each record. */
  readonly lines: readonly number[]
  /** Of which objects there are records. */
  readonly keys: ReadonlySet<string>
  /** Records between `from` and `to` that are not worth sending. */
  readonly rejections: readonly Rejection[]
}
