// Reads a page that has no conditions to check, with one statement. The cheapest statement makes assumptions, and its own answer
// says whether they held; if not, the page is read again without them. So a page never depends on what this process believed.
import { everything } from '../../catalog/filter/filter.ts'
import type { PagePlan } from '../plan/page-plan.ts'
import { requireReadable } from './require-readable.ts'
import { withDead } from '../sql/compile-arm.ts'
import { beginsWithTexts, recordSeparator } from '../sql/record-text.ts'
import { gatherRecords, type Gathered } from './gather-records.ts'
import type { PageClock } from './page-clock.ts'
import type { PageRows } from './page-rows.ts'
import type { ReadLimits } from './read-limits.ts'
import { nothingSeen, type RowSources, type SeenObjects } from './row-sources.ts'
import { rememberClock, withEpochs, withMissedEpochs } from './history-epochs.ts'
import { scanRows } from './scan-rows.ts'

interface Assumption {
  readonly isLikely: (plan: PagePlan, seen: SeenObjects) => boolean
  readonly holds: (plan: PagePlan, page: Gathered) => boolean
}

/** Nothing has been committed since the page's version, so the table of current objects holds exactly that version. */
const isNewest: Assumption = {
  isLikely: ({ at }, seen) => at.kind === 'snapshot' && at.version === seen.version,
  holds: ({ at }, { clock }) => at.kind === 'snapshot' && at.version === clock.version,
}

/** A full page of objects, each as large as the largest of the type, stays below the byte budget: no running sum is needed. */
const fitsBudget: Assumption = {
  isLikely: (plan, { largest, recordBytes }) => largest > 0 && mayFit(plan, Math.max(largest, recordBytes)),
  // The sizes of objects do not include what surrounds their properties, so the records are counted as the statement counts
  // them.
  holds: (plan, { clock, records }) =>
    mayFit(plan, clock.largest) && records.length + recordSeparator(plan.record).length <= plan.byteBudget,
}

/**
 * No key and no title needs an escape in JSON, so both are written as they are. This saves a sixth of the processor time of a
 * page (decision 29). A backslash anywhere in the page shows that an escape may be needed.
 */
const needsNoEscapes: Assumption = {
  isLikely: (plan, { pagesWithEscapes }) => beginsWithTexts(plan) && pagesWithEscapes === 0,
  holds: (_plan, { hasBackslash }) => !hasBackslash,
}

/** As long as one page in this many needs escapes, writing all of them with escapes is cheaper than reading that one again. */
const pagesAfterEscapes = 16

const mayFit = ({ pageSize, byteBudget }: PagePlan, largest: number): boolean =>
  largest * pageSize <= byteBudget

export async function readRows(
  sources: RowSources,
  plan: PagePlan,
  limits: ReadLimits = {},
): Promise<PageRows> {
  if (plan.access?.kind === 'scan' && plan.access.check !== everything) return scanRows(sources, plan, limits)
  const seen = sources.seen.get(plan.type.tables.current) ?? nothingSeen
  let assumed = [isNewest, fitsBudget, needsNoEscapes].filter(({ isLikely }) => isLikely(plan, seen))
  /** The plan with the epochs of history, once history is read. */
  let withHistory: PagePlan | undefined
  for (;;) {
    if (!assumed.includes(isNewest)) withHistory ??= await withEpochs(sources, plan, limits.signal)
    const page = await readAssuming(sources, withHistory ?? plan, assumed, limits.signal)
    const right = assumed.filter(({ holds }) => holds(plan, page))
    if (right.length < assumed.length) {
      page.giveBack()
      assumed = right
      continue
    }
    requireReadable(page.clock, plan)
    const corrected = withHistory && withMissedEpochs(withHistory, page.clock)
    if (corrected !== undefined) {
      page.giveBack()
      withHistory = corrected
      continue
    }
    if (isWhole(plan, page, assumed)) return page
    page.giveBack()
    return scanRows(sources, plan, limits)
  }
}

/**
 * At a version the rows include dead ones, and the stretch may have ended before the page was full. Most such pages are the last
 * of a walk.
 */
const isWhole = (plan: PagePlan, { more }: PageRows, assumed: readonly Assumption[]): boolean =>
  more || assumed.includes(isNewest) || !withDead(plan)

async function readAssuming(
  sources: RowSources,
  plan: PagePlan,
  assumed: readonly Assumption[],
  signal: AbortSignal | undefined,
): Promise<Gathered> {
  const cutAtBudget = !assumed.includes(fitsBudget)
  const withEscapes = !assumed.includes(needsNoEscapes)
  const read: PagePlan = assumed.includes(isNewest) ? { ...plan, at: { kind: 'capture' } } : plan
  const { recordBytes } = sources.seen.get(plan.type.tables.current) ?? nothingSeen
  const gathering = gatherRecords({
    buffers: sources.buffers,
    plan,
    expectedBytes: Math.min(recordBytes * plan.pageSize, plan.byteBudget),
    mayEndEarly: cutAtBudget,
    withEscapes,
    // If it cannot fit, the page is read again, and nothing of this answer is needed.
    wants: ({ largest }: PageClock) => cutAtBudget || mayFit(plan, largest),
  })
  await sources.database
    .holding(plan.type.schema)
    .eachRow(sources.pageQueries(read, { cutAtBudget, withEscapes }), gathering.takeRow, signal)
  const page = gathering.end()
  remember(sources, read, page)
  return page
}

function remember(sources: RowSources, plan: PagePlan, page: Gathered): void {
  rememberClock(sources, plan, page.clock)
  const table = plan.type.tables.current
  const before = sources.seen.get(table) ?? nothingSeen
  sources.seen.set(table, {
    ...before,
    // This never decreases: answers may arrive in another order than the database gave them.
    largest: Math.max(before.largest, page.clock.largest),
    recordBytes: page.objects === 0 ? before.recordBytes : page.records.length / page.objects,
    pagesWithEscapes: pagesWithEscapes(before.pagesWithEscapes, page),
  })
}

function pagesWithEscapes(before: number, { hasBackslash }: Gathered): number {
  if (hasBackslash === undefined) return before
  return hasBackslash ? pagesAfterEscapes : Math.max(0, before - 1)
}
