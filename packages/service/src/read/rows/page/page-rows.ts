import type { Position } from '../../plan/page-plan.ts'
import type { RecordShape } from '../../request/page-request.ts'
import type { PageClock } from '../state/page-clock.ts'

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
