import type { Position } from '../plan/page-plan.ts'
import type { PageClock } from './page-clock.ts'

/** What one statement read: the objects as bytes, and everything that makes them trustworthy. */
export interface PageRows {
  readonly clock: PageClock
  readonly objects: number
  readonly more: boolean
  /** The time for one page ended before the page was full: more may exist, and the position is as far as was read. */
  readonly timedOut: boolean
  /** Of the page's last object, when more exist. */
  readonly position: Position | undefined
  /** The records, without the end of the last one. */
  readonly records: Buffer
  /** There if the memory round the records is theirs: the page may be written there, and it is given back once sent. */
  readonly giveBack?: () => void
}
