import { ServiceError } from '../../../base/errors/service-error.ts'
import type { ObjectType } from '../../../catalog/object-type.ts'
import { StaleDefinition } from '../../../catalog/stale-definition.ts'
import type { PagePlan } from '../../plan/page-plan.ts'
import type { PageClock } from './page-clock.ts'

/** The server that answered cannot show the version. Another one may, which is why the error says how far this one is. */
export class SnapshotNotReadable extends ServiceError<'ConsistentSnapshotError'> {
  readonly reached: string

  constructor({ version }: PageClock, { apiName }: ObjectType) {
    super('ConsistentSnapshotError', { objectType: apiName })
    this.reached = version
  }
}

/**
 * Every statement that reads a part of a page, or of a total, passes its clock to this check: two statements may be answered by
 * two servers, and rows that the first one found may be gone for the second. Nothing of a snapshot that is gone is ever sent
 * (P36).
 */
export function requireReadable(
  clock: PageClock,
  { at, type, linked }: Pick<PagePlan, 'at' | 'type' | 'linked'>,
): void {
  const [other] = linked ?? []
  if (other !== undefined) requireLinked(clock, other.type)
  if (at.kind === 'snapshot' && checkSnapshot(clock, at) === 'gone')
    throw new SnapshotNotReadable(clock, type)
}

/** The rows of other types, which a filter has looked at, are proven by the same statement. */
function requireLinked(clock: PageClock, other: ObjectType): void {
  if (clock.linked === 'held') return
  if (clock.linked === 'gone') throw new SnapshotNotReadable(clock, other)
  throw new StaleDefinition(other)
}

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
