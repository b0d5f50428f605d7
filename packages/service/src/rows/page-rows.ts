import type { Position } from '../plan/page-plan.ts'

/** What one statement read: the objects as bytes, and everything that makes them trustworthy. */
export interface PageRows {
  readonly clock: {
    readonly version: string
    /** The oldest version that can still be read whole. */
    readonly floor: string
    readonly live: string
    /** Of the commit whose version was asked for (or captured); null when there is none. */
    readonly tag: string | null
    readonly snapshotLive: string | null
  }
  readonly objects: number
  readonly more: boolean
  /** The time for one page ended before the page was full: more may exist, and the position is as far as was read. */
  readonly timedOut: boolean
  /** Of the page's last object, when more exist. */
  readonly position: Position | undefined
  /** The beginning of the first record. */
  readonly firstHead: Buffer
  /** The records, from the first one's properties to the last one's, without its end. */
  readonly body: Buffer
  /** There if the body lies in a row of its own: the page may be written round it, and its memory is given back once sent. */
  readonly giveBack?: () => void
}
