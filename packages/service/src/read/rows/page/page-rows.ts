import type { Position } from '../../plan/page-plan.ts'
import type { RecordShape } from '../../request/page-request.ts'
import type { PageClock } from '../state/page-clock.ts'
import type { ScalarValue } from '@octavo/protocol'
import { recordEnd } from '../../sql/record-text.ts'

/** What one statement read: the objects as bytes, and everything that makes them trustworthy. */
export interface PageRows {
  readonly clock: PageClock
  readonly objects: number
  readonly more: boolean
  /** The page took so long that it ended before it was full. If it has no object, nothing was found in its time. */
  readonly timedOut: boolean
  /** The position of the page's last object when more exist, or of the last row that was read. */
  readonly position: Position | undefined
  /** The position is that of a row that was read and not sent: the caller must learn nothing about it. */
  readonly positionIsHidden?: boolean
  /** The records, without the closing braces of the last one, and how they are written. */
  readonly records: Buffer
  readonly shape: RecordShape
  /**
   * Present if the page owns the memory around the records: the page may be written there, and the memory is given back once it
   * is sent.
   */
  readonly giveBack?: () => void
}

/** A record of a page that the service itself looks at. */
export interface ParsedRecord {
  readonly primaryKey: string
  readonly properties: Readonly<Record<string, ScalarValue | readonly ScalarValue[]>>
}

export const parsedRecords = ({ objects, records, shape }: PageRows): readonly ParsedRecord[] =>
  objects === 0 ? [] : (JSON.parse(`[${records.toString()}${recordEnd(shape)}]`) as readonly ParsedRecord[])

/** How long a page may be read. */
export interface ReadLimits {
  readonly signal?: AbortSignal | undefined
  /**
   * The time, on the store's clock, by which the page must be read so that its answer can still be sent. No limit if not given.
   */
  readonly answerBy?: number
  /** The time from which the page counts as slow and may return less than its size; ten seconds from now if not given. */
  readonly longAfter?: number
}
