import type { PageClock } from './page-clock.ts'

/** What the first page of a snapshot walk fixed. */
export interface CapturedSnapshot {
  readonly version: string
  readonly tag: string | null
}

/**
 * Says whether the rows that came with this clock are those of the snapshot. They are not if the server has not reached the
 * version yet, or if parts of it were deleted before the read; such rows must not be shown to anyone. A statement sees the clock
 * and the rows in one state, and a replica passes through the states of the primary, so a clock that has reached the version
 * comes with all rows of it. The tag tells the version from another one with the same number: the database may have been
 * restored to an earlier state and written to again.
 */
export function checkSnapshot(
  clock: Pick<PageClock, 'version' | 'floor' | 'tag'>,
  captured: CapturedSnapshot,
): 'readable' | 'gone' {
  const version = BigInt(captured.version)
  if (BigInt(clock.version) < version || BigInt(clock.floor) > version) return 'gone'
  return clock.tag !== null && clock.tag === captured.tag ? 'readable' : 'gone'
}
