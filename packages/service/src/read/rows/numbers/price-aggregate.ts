// What an aggregate would cost: how many objects it has to read. It is known before any of them is read.
import { ServiceError } from '../../../base/errors/service-error.ts'
import { everything } from '../../../catalog/filter/filter.ts'
import { tableSides } from '../../../catalog/type-tables.ts'
import type { PagePlan } from '../../plan/page-plan.ts'
import { estimateMatches } from './estimate-matches.ts'
import type { PageClock } from '../state/page-clock.ts'
import type { RowSources } from '../state/row-sources.ts'

interface Price {
  readonly reason: 'allObjects' | 'matches' | 'unindexed'
  readonly objects: number
}

/** An estimate may be wrong, and what is read is counted anyway: only far more than the budget is refused because of one. */
const doubtOfEstimates = 2

export async function refuseExpensive(
  { database }: Pick<RowSources, 'database'>,
  plan: PagePlan,
  { clock, budget }: { readonly clock: PageClock; readonly budget: number },
): Promise<void> {
  const { type, access, at } = plan
  const objects = Number(clock.snapshotLive ?? clock.live)
  // All matches are among them.
  if (objects <= budget) return
  const found = access?.kind === 'gather' ? access.filter : (access?.within ?? everything)
  if (found === everything) {
    const reason = access === undefined ? 'allObjects' : 'unindexed'
    throw tooExpensive(plan, { reason, objects }, budget)
  }
  // An estimate would be one of hidden objects, too; what is read is only what the caller sees (plan/choose-access.ts).
  if (plan.isGuarded) return
  const sides = at.kind === 'snapshot' ? tableSides : (['current'] as const)
  const [estimate] = await estimateMatches({ database }, type, [found], sides)
  const matches = Math.min(objects, Math.round(estimate?.objects ?? 0))
  if (matches > budget * doubtOfEstimates)
    throw tooExpensive(plan, { reason: 'matches', objects: matches }, budget)
}

const mostNames = 20

/** A caller from whom a policy hides objects learns nothing about how many there are (P144). */
export function tooExpensive(
  { type }: PagePlan,
  { reason, objects }: Pick<Price, 'reason'> & Partial<Price>,
  budget: number,
) {
  const { properties, policy } = type.definition
  const searchable = Object.keys(properties).filter(
    (name) => name === type.key.property || properties[name]?.searchable,
  )
  return new ServiceError('AggregateTooExpensive', {
    reason,
    ...(policy === undefined && objects !== undefined && { objectCount: objects }),
    limit: 'readObjects',
    maximum: budget,
    searchable: searchable.slice(0, mostNames),
  })
}
