import { ServiceError } from '../errors/service-error.ts'
import type { PageClock } from '../rows/page-clock.ts'
import type { Walk } from '../token/walk.ts'
import { checkSnapshot } from './check-snapshot.ts'

/** Pages of a snapshot that is gone are never given out, not even what was found of them (P36). */
export function requireReadable(clock: PageClock, walk: Walk | undefined): void {
  if (walk?.mode.kind !== 'snapshot') return
  if (checkSnapshot(clock, walk.mode) === 'gone') throw new ServiceError('ConsistentSnapshotError', {})
}
