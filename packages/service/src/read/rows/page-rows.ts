import type { Position } from '../plan/page-plan.ts'
import type { PageClock } from './page-clock.ts'

/** What one statement read: the objects as bytes, and everything that makes them trustworthy. */
export interface PageRows {
  readonly clock: PageClock
  readonly objects: number
  readonly more: boolean
  /** The page took so long that it ended before it was full. Without an object, nothing was found in its time. */
  readonly timedOut: boolean
  /** Of the page's last object, when more exist, or as far as was read. */
  readonly position: Position | undefined
  /** The position is that of a row that was read and not sent: the caller may not know anything of it. */
  readonly positionIsHidden?: boolean
  /** The records, without the end of the last one. */
  readonly records: Buffer
  /** There if the memory round the records is theirs: the page may be written there, and it is given back once sent. */
  readonly giveBack?: () => void
}
