import type { PagePlan } from '../plan/page-plan.ts'
import { countsMatches } from '../request/page-request.ts'
import type { PageRows } from '../rows/page/page-rows.ts'
import { capturedBy, type Walk } from '../token/walk.ts'
import type { RequestContext } from './type-context.ts'
import { countMatches } from '../rows/numbers/count-matches.ts'

/**
 * The total of a walk. Without a filter it is on the clock. The matches of a filter are counted for revisions 1.0 (P68) and v2 (P336), once,
 * on the first page, and the walk keeps the number; a plus sign marks a lower bound (P69). Revision 2.0 gets only what is
 * known without counting (P150).
 */
export async function totalOf(
  { service, request, signal }: RequestContext,
  { plan, walk, rows }: { readonly plan: PagePlan; readonly walk: Walk | undefined; readonly rows: PageRows },
): Promise<string | undefined> {
  const isKnown = request.snapshot && plan.access === undefined && walk?.partition === undefined
  if (!countsMatches(request) && !isKnown) return undefined
  if (plan.access === undefined) return rows.clock.snapshotLive ?? rows.clock.live
  if (walk?.total !== undefined) return walk.total
  const at = plan.at.kind === 'capture' ? capturedBy(rows.clock) : plan.at
  const { count, isBound } = await countMatches(service.store, { ...plan, at, position: undefined }, signal)
  return isBound ? `${count}+` : String(count)
}
