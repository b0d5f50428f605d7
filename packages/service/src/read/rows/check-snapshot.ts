import type { PageClock } from './page-clock.ts'

/** What the first page of a snapshot walk fixed. */
export interface CapturedSnapshot {
  readonly version: string
  readonly tag: string | null
}

/**
 * Says whether what came with this clock is the snapshot's, or was read where the version has not arrived, or after parts of
 * it were deleted, and must not be shown to anyone. A statement sees the clock and the rows in one state, and a replica passes
 * through the states of the primary, so a clock that has reached the version stands beside all rows of it. The tag tells the
 * version from another one with the same number: the database may have been restored to an earlier state and written again.
 */
export function checkSnapshot(
  clock: Pick<PageClock, 'version' | 'floor' | 'tag'>,
  captured: CapturedSnapshot,
): 'readable' | 'gone' {
  const version = BigInt(captured.version)
  if (BigInt(clock.version) < version || BigInt(clock.floor) > version) return 'gone'
  return clock.tag !== null && clock.tag === captured.tag ? 'readable' : 'gone'
}
