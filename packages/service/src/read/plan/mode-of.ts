import { capturedBy, type CommitClock } from '../token/captured-by.ts'
import type { WalkMode } from '../token/walk.ts'
import type { PointInTime } from './page-plan.ts'

/** The mode of the walk whose first page was read at this point in time: it fixes the version of a snapshot walk. */
export function modeOf(at: PointInTime, clock: CommitClock): WalkMode {
  if (at.kind === 'latest') return { kind: 'default' }
  return at.kind === 'capture' ? capturedBy(clock) : { kind: 'snapshot', version: at.version, tag: at.tag }
}
