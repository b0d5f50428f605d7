import { everything } from '../plan/filter.ts'
import type { PagePlan } from '../plan/page-plan.ts'
import { requireReadable } from '../snapshot/require-readable.ts'
import { withDead } from '../sql/compile-arm.ts'
import type { PageQueryOptions } from '../sql/compile-page-query.ts'
import { recordSeparator } from '../sql/record-text.ts'
import { gatherRecords, type Gathered } from './gather-records.ts'
import type { PageClock } from './page-clock.ts'
import type { PageRows } from './page-rows.ts'
import type { ReadLimits } from './read-limits.ts'
import { nothingSeen, type RowSources } from './row-sources.ts'
import { scanRows } from './scan-rows.ts'

export async function readRows(
  sources: RowSources,
  plan: PagePlan,
  limits: ReadLimits = {},
): Promise<PageRows> {
  if (plan.access?.kind === 'scan' && plan.access.check !== everything) return scanRows(sources, plan, limits)
  const { signal } = limits
  const seen = sources.seen.get(plan.type.tables.current)
  let cutAtBudget = seen === undefined || mayPassBudget(plan, Math.max(seen.largest, seen.recordBytes))
  let asNewest = plan.at.kind === 'snapshot' && plan.at.version === seen?.version
  for (;;) {
    const page = await readOnce(sources, plan, { cutAtBudget, asNewest, signal })
    if (typeof page !== 'string') return page
    // Other objects than any seen so far came in between. What the same statement says about them decides, so that a page never
    // depends on what this process believed.
    if (page === 'too-large') cutAtBudget = true
    else if (page === 'not-newest') asNewest = false
    else return scanRows(sources, plan, limits)
  }
}

const mayPassBudget = ({ pageSize, byteBudget }: PagePlan, largest: number): boolean =>
  largest * pageSize > byteBudget

/** What stands around the properties of objects is not in their sizes. Counted as the statement counts it. */
const passesBudget = ({ byteBudget }: PagePlan, { records }: PageRows): boolean =>
  records.length + recordSeparator.length > byteBudget

interface ReadOptions extends PageQueryOptions {
  /** As if nothing had been committed since the version of the page: current alone is then what it was. */
  readonly asNewest: boolean
  readonly signal: AbortSignal | undefined
}

/**
 * One statement may not be enough: without the budget, where the page could pass it;
 * as the newest, where something has been committed meanwhile; and at another version, where the page is not full. Most of the
 * last kind are the last of their walk.
 */
async function readOnce(
  sources: RowSources,
  plan: PagePlan,
  { signal, asNewest, ...options }: ReadOptions,
): Promise<PageRows | 'too-large' | 'not-newest' | 'not-whole'> {
  const { cutAtBudget } = options
  const read: PagePlan = asNewest ? { ...plan, at: { kind: 'capture' } } : plan
  const table = plan.type.tables.current
  const fits = ({ largest }: PageClock) => cutAtBudget || !mayPassBudget(plan, largest)
  const gathering = gatherRecords({
    buffers: sources.buffers,
    plan,
    expectedBytes: Math.min((sources.seen.get(table)?.recordBytes ?? 0) * plan.pageSize, plan.byteBudget),
    mayEndEarly: cutAtBudget,
    wants: fits,
  })
  await sources.database.eachRow(sources.pageQueries(read, options), gathering.takeRow, signal)
  const page = gathering.end()
  remember(sources.seen, table, page)
  const problem = problemOf()
  if (problem === undefined) return page
  page.giveBack()
  return problem

  function problemOf() {
    if (!fits(page.clock) || (!cutAtBudget && passesBudget(plan, page))) return 'too-large'
    if (asNewest && plan.at.kind === 'snapshot' && page.clock.version !== plan.at.version) return 'not-newest'
    requireReadable(page.clock, plan.at)
    // Where rows that are not alive come along, their stretch may have ended before the rows did.
    return page.more || !withDead(read) ? undefined : 'not-whole'
  }
}

function remember(seen: RowSources['seen'], table: string, page: Gathered): void {
  const before = seen.get(table) ?? nothingSeen
  seen.set(table, {
    version: page.clock.version,
    // Never less than before: answers may arrive in another order than the database gave them.
    largest: Math.max(before.largest, page.clock.largest),
    recordBytes: page.objects === 0 ? before.recordBytes : page.records.length / page.objects,
  })
}
