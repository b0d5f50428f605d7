import type { GoneSignal } from '../memory/gone-signal.ts'
import { everything } from '../plan/filter.ts'
import type { PagePlan } from '../plan/page-plan.ts'
import { mayLackRows } from '../sql/compile-page-query.ts'
import { gatherRecords } from './gather-records.ts'
import type { PageClock } from './page-clock.ts'
import type { PageRows } from './page-rows.ts'
import type { RowSources } from './row-sources.ts'
import { scanRows } from './scan-rows.ts'

export async function readRows(sources: RowSources, plan: PagePlan, signal?: GoneSignal): Promise<PageRows> {
  if (plan.access?.kind === 'scan' && plan.access.check !== everything) return scanRows(sources, plan, signal)
  const largest = sources.seen.get(plan.type.tables.current)?.largest
  const cutAtBudget = largest === undefined || mayPassBudget(plan, largest)
  let page = await readOnce(sources, plan, { cutAtBudget, signal })
  // Larger objects than any seen so far came in between. What the same statement says about the largest decides, so that
  // a page never depends on what this process believed.
  if (page === 'too-large') page = await readOnce(sources, plan, { cutAtBudget: true, signal })
  return typeof page === 'string' ? scanRows(sources, plan, signal) : page
}

const mayPassBudget = ({ pageSize, byteBudget }: PagePlan, largest: number): boolean =>
  largest * pageSize > byteBudget

interface ReadOptions {
  readonly cutAtBudget: boolean
  readonly signal: GoneSignal | undefined
}

/**
 * One statement may not be enough: without the budget, where the page could pass it, and at a version that is not the newest,
 * where the page is not full. Most such pages are the last of their walk.
 */
async function readOnce(
  sources: RowSources,
  plan: PagePlan,
  { cutAtBudget, signal }: ReadOptions,
): Promise<PageRows | 'too-large' | 'not-whole'> {
  const table = plan.type.tables.current
  const fits = ({ largest }: PageClock) => cutAtBudget || !mayPassBudget(plan, largest)
  const gathering = gatherRecords({
    buffers: sources.buffers,
    plan,
    expectedBytes: Math.min((sources.seen.get(table)?.recordBytes ?? 0) * plan.pageSize, plan.byteBudget),
    mayEndEarly: cutAtBudget,
    wants: fits,
  })
  await sources.database.eachRow(sources.pageQueries(plan, { cutAtBudget }), gathering.takeRow, signal)
  const page = gathering.end()
  const seen = sources.seen.get(table)
  sources.seen.set(table, {
    // Never less than before: answers may arrive in another order than the database gave them.
    largest: Math.max(seen?.largest ?? 0, page.clock.largest),
    recordBytes: page.objects === 0 ? (seen?.recordBytes ?? 0) : page.records.length / page.objects,
  })
  const isLarge = !fits(page.clock)
  if (!isLarge && (page.more || !mayLackRows(plan, page.clock.version))) return page
  page.giveBack()
  return isLarge ? 'too-large' : 'not-whole'
}
