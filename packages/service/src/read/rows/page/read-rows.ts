// Reads a page that has no conditions to check, with one statement. The cheapest statement makes assumptions, and its own answer
// says whether they held; if not, the page is read again without them.
import type { PagePlan } from '../../plan/page-plan.ts'
import { withDead } from '../../sql/compile-arm.ts'
import { beginsWithTexts, recordSeparator } from '../../sql/record-text.ts'
import { gatherRecords, type Gathered } from './gather-records.ts'
import type { PageRows, ReadLimits } from './page-rows.ts'
import { nothingRead, type RowSources, type LastRead } from '../state/row-sources.ts'
import type { StateReader } from '../state/state-reader.ts'
import { isScan, scanRows } from './scan-rows.ts'

interface Assumption {
  readonly isLikely: (plan: PagePlan, lastRead: LastRead) => boolean
  readonly holds: (plan: PagePlan, page: Gathered) => boolean
}

/** A full page of objects, each as large as the largest of the type, stays below the byte budget. The running sum takes 0.4 to 0.8 more. */
const fitsBudget: Assumption = {
  isLikely: (plan, { largest, recordBytes }) => largest > 0 && mayFit(plan, Math.max(largest, recordBytes)),
  // The sizes of objects do not include what surrounds their properties, so the records are counted as the statement counts
  // them.
  holds: (plan, { clock, records }) =>
    mayFit(plan, clock.largest) && records.length + recordSeparator(plan.record).length <= plan.byteBudget,
}

/**
 * No key and no title needs an escape in JSON, so both are written as they are. With escapes a page takes 1.02 to 1.18 of its processor
 * time (decision 29). A backslash anywhere in the page shows that an escape may be needed.
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
  state: StateReader,
  limits: ReadLimits = {},
): Promise<PageRows> {
  if (isScan(plan)) return scanRows(sources, plan, state, limits)
  let assumed = [fitsBudget, needsNoEscapes].filter(({ isLikely }) =>
    isLikely(plan, lastReadOf(sources, plan)),
  )
  for (;;) {
    const read = { ...plan, at: await state.next() }
    const page = await readAssuming(sources, read, assumed, limits.signal)
    const right = assumed.filter(({ holds }) => holds(plan, page))
    // A page that is not used must not fix the state: the clock that is returned with the page has to be the one that did.
    if (right.length === assumed.length && state.proves(page.clock)) {
      // At a version the rows include dead ones, and the stretch may have ended before the page was full. Most such pages are the last
      // of a walk.
      if (page.more || !withDead(read)) return page
      page.giveBack()
      return scanRows(sources, plan, state, limits)
    }
    page.giveBack()
    assumed = right
  }
}

async function readAssuming(
  sources: RowSources,
  plan: PagePlan,
  assumed: readonly Assumption[],
  signal: AbortSignal | undefined,
): Promise<Gathered> {
  const cutAtBudget = !assumed.includes(fitsBudget)
  const withEscapes = !assumed.includes(needsNoEscapes)
  const gathering = gatherRecords({
    buffers: sources.buffers,
    plan,
    expectedBytes: Math.min(lastReadOf(sources, plan).recordBytes * plan.pageSize, plan.byteBudget),
    mayEndEarly: cutAtBudget,
    withEscapes,
    // If it cannot fit, the page is read again, and nothing of this answer is needed.
    wants: ({ largest }) => cutAtBudget || mayFit(plan, largest),
  })
  await sources.database
    .holding(plan.type.schema)
    .eachRow(sources.pageQueries(plan, { cutAtBudget, withEscapes }), gathering.takeRow, signal)
  const page = gathering.end()
  rememberPage(sources, plan, page)
  return page
}

const lastReadOf = ({ lastRead }: RowSources, { type }: PagePlan): LastRead =>
  lastRead.get(type.tables.current) ?? nothingRead

function rememberPage(sources: RowSources, plan: PagePlan, page: Gathered): void {
  const before = lastReadOf(sources, plan)
  const { clock, objects, records, hasBackslash } = page
  sources.lastRead.set(plan.type.tables.current, {
    ...before,
    // This never decreases: answers may arrive in another order than the database gave them.
    largest: Math.max(before.largest, clock.largest),
    recordBytes: objects === 0 ? before.recordBytes : records.length / objects,
    ...(hasBackslash !== undefined && {
      pagesWithEscapes: hasBackslash ? pagesAfterEscapes : Math.max(0, before.pagesWithEscapes - 1),
    }),
  })
}
