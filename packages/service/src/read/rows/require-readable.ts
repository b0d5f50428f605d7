import { ServiceError } from '../../base/errors/service-error.ts'
import type { PointInTime } from '../plan/page-plan.ts'
import type { PageClock } from './page-clock.ts'
import { checkSnapshot } from './check-snapshot.ts'

/** Whoever answered cannot show the version: another server may, which is why it says how far this one is. */
export class SnapshotNotReadable extends ServiceError<'ConsistentSnapshotError'> {
  readonly reached: string

  constructor({ version }: PageClock) {
    super('ConsistentSnapshotError', {})
    this.reached = version
  }
}

/**
 * Every statement that reads a part of a page, or of a total, passes here with the clock that it came with: two statements may
 * be answered by two servers, and what was there for the first may be gone for the second. Nothing of a snapshot that is
 * gone is ever given out (P36).
 */
export function requireReadable(clock: PageClock, at: PointInTime): void {
  if (at.kind === 'snapshot' && checkSnapshot(clock, at) === 'gone') throw new SnapshotNotReadable(clock)
}
