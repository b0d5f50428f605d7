import { capturedBy, type CommitClock } from '../token/captured-by.ts'
import type { WalkMode } from '../token/walk.ts'
import type { PointInTime } from './page-plan.ts'

/**
 * The mode of the walk whose first page was read at this point in time: it fixes the version of a snapshot walk, and remembers where
 * any other began.
 */
export function modeOf(at: PointInTime, clock: CommitClock): WalkMode {
  if (at.kind === 'latest') {
    const { version, tag } = clock
    return tag === null ? { kind: 'default' } : { kind: 'default', first: { version, tag } }
  }
  return at.kind === 'capture' ? capturedBy(clock) : { kind: 'snapshot', version: at.version, tag: at.tag }
}
