import { ServiceError } from '../../base/errors/service-error.ts'
import type { ObjectType } from '../../catalog/object-type.ts'
import { StaleDefinition } from '../../catalog/stale-definition.ts'
import type { PagePlan } from '../plan/page-plan.ts'
import type { PageClock } from './page-clock.ts'
import { checkSnapshot } from './check-snapshot.ts'

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
