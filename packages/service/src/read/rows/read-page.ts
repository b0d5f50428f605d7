// A page, as it is sent. Where the caller wants only some properties, what is read is more than what is sent: then one budget of
// it does not fill the page, and the page goes on in parts until what is sent fills it (P8).
import { limits } from '@octavo/protocol'
import type { PagePlan } from '../plan/page-plan.ts'
import { capturedBy } from '../token/captured-by.ts'
import { SnapshotNotReadable } from './require-readable.ts'
import { recordEnd, recordSeparator } from '../sql/record-text.ts'
import type { PageRows } from './page-rows.ts'
import { projectRecords } from './project-records.ts'
import type { ReadLimits } from './read-limits.ts'
import { readRows } from './read-rows.ts'
import type { RowSources } from './row-sources.ts'

export async function readPage(
  sources: RowSources,
  plan: PagePlan,
  readLimits: ReadLimits = {},
): Promise<PageRows> {
  for (;;) {
    try {
      return plan.select === undefined
        ? await readRows(sources, plan, readLimits)
        : await readParts(sources, { ...plan, select: plan.select }, readLimits)
    } catch (error) {
      // In default mode nobody was promised this state: where it is gone, the page begins again with the latest one.
      if (!(error instanceof SnapshotNotReadable && plan.at.kind === 'latest')) throw error
    }
  }
}

type ProjectedPlan = PagePlan & { readonly select: readonly string[] }

/** No more than one budget is read at a time, and what is kept of it is no more than one budget either. */
async function readParts(
  sources: RowSources,
  plan: ProjectedPlan,
  readLimits: ReadLimits,
): Promise<PageRows> {
  const longAfter = sources.elapsed() + limits.time.scanSeconds * 1_000
  const kept: Buffer[] = []
  // All parts are of one state (P37).
  let at: PagePlan['at'] = plan.at.kind === 'latest' ? { kind: 'capture' } : plan.at
  let clock: PageRows['clock'] | undefined
  let last: Pick<PageRows, 'position' | 'positionIsHidden'> = { position: plan.position }
  let objects = 0
  let bytes = 0
  for (;;) {
    const byteBudget = budgetWithin(plan.byteBudget, plan.byteBudget - bytes)
    const part = await readRows(
      sources,
      { ...plan, at, position: last.position, byteBudget, pageSize: plan.pageSize - objects },
      { ...readLimits, longAfter },
    )
    clock ??= part.clock
    if (at.kind === 'capture') at = capturedBy(clock)
    const records = projected(part, plan.select)
    part.giveBack?.()
    // More than the budget of the part is read only of one object, which may be too large for the rest of the page.
    if (objects > 0 && part.objects > 0 && bytes + records.length + separator.length > plan.byteBudget)
      return { clock, objects, records: joined(kept), more: true, timedOut: false, ...last }
    if (part.objects > 0) kept.push(records)
    bytes += records.length + separator.length
    objects += part.objects
    const isFull = objects === plan.pageSize || bytes >= plan.byteBudget
    const timedOut = part.timedOut || (part.more && !isFull && sources.elapsed() >= longAfter)
    const { more, position, positionIsHidden = false } = part
    last = { position, positionIsHidden }
    if (!more || isFull || timedOut) return { clock, objects, records: joined(kept), more, timedOut, ...last }
  }
}

/** As they were read: without the end of the last one. */
function projected({ objects, records }: PageRows, select: readonly string[]): Buffer {
  if (objects === 0) return Buffer.alloc(0)
  return projectRecords(Buffer.concat([records, end]), select).subarray(0, -end.length)
}

const end = Buffer.from(recordEnd)
const separator = Buffer.from(recordSeparator)

const joined = (parts: readonly Buffer[]): Buffer =>
  Buffer.concat(parts.flatMap((part, i) => (i === 0 ? [part] : [separator, part])))

/** Records lose bytes when they are projected, never gain any: so what fits before fits after. Few sizes make few statements. */
function budgetWithin(whole: number, left: number): number {
  let budget = whole
  while (budget > left) budget = Math.floor(budget / 2)
  return budget
}
