import type { PageClock } from '../rows/page-clock.ts'

/** What the first page of a snapshot walk fixed. */
export interface CapturedSnapshot {
  readonly version: string
  readonly tag: string | null
}

/**
 * Says whether the page that came with this clock is the snapshot's, or was read after parts of it were deleted and
 * must not be shown to anyone. The tag tells the version from another one with the same number: the database may have
 * been restored to an earlier state and written again.
 */
export function checkSnapshot(
  clock: Pick<PageClock, 'floor' | 'tag'>,
  captured: CapturedSnapshot,
): 'readable' | 'gone' {
  if (BigInt(clock.floor) > BigInt(captured.version)) return 'gone'
  return clock.tag !== null && clock.tag === captured.tag ? 'readable' : 'gone'
}
