// Reads a page as it is sent. Where the caller wants only some properties, more is read than is sent: one byte budget of what is
// read does not fill the page. The page is then read in parts until what is sent fills it (P8).
import { limits } from '@octavo/protocol'
import type { PagePlan } from '../../plan/page-plan.ts'
import { SnapshotNotReadable } from '../state/page-clock.ts'
import { recordEnd, recordSeparator } from '../../sql/record-text.ts'
import type { PageRows, ReadLimits } from './page-rows.ts'
import { projectRecords } from './project-records.ts'
import { readRows } from './read-rows.ts'
import { isScan } from './scan-rows.ts'
import type { RowSources } from '../state/row-sources.ts'
import { stateReader, type StateReader } from '../state/state-reader.ts'

export async function readPage(
  sources: RowSources,
  plan: PagePlan,
  readLimits: ReadLimits = {},
): Promise<PageRows> {
  const { select, at, type, linked } = plan
  // All statements of a page read one state (P37).
  const isSeveral = select !== undefined || isScan(plan)
  const wanted = {
    type,
    linked,
    at: isSeveral && at.kind === 'latest' ? ({ ...at, kind: 'capture' } as const) : at,
  }
  for (;;) {
    const state = stateReader(sources, wanted, readLimits.signal)
    try {
      return select === undefined
        ? await readRows(sources, plan, state, readLimits)
        : await readParts(sources, { ...plan, select }, state, readLimits)
    } catch (error) {
      // In default mode no state was promised to the caller: if this one is gone, the page starts again with the latest one.
      if (!(error instanceof SnapshotNotReadable && plan.at.kind === 'latest')) throw error
    }
  }
}

type ProjectedPlan = PagePlan & { readonly select: readonly string[] }

/** Reads at most one byte budget at a time, and keeps at most one byte budget of it. */
async function readParts(
  sources: RowSources,
  plan: ProjectedPlan,
  state: StateReader,
  readLimits: ReadLimits,
): Promise<PageRows> {
  const separator = Buffer.from(recordSeparator(plan.record))
  const joined = (): Pick<PageRows, 'records' | 'shape'> => ({
    records: Buffer.concat(kept.flatMap((part, i) => (i === 0 ? [part] : [separator, part]))),
    shape: plan.record,
  })
  const longAfter = sources.elapsed() + limits.time.scanSeconds * 1_000
  const kept: Buffer[] = []
  let clock: PageRows['clock'] | undefined
  let last: Pick<PageRows, 'position' | 'positionIsHidden'> = { position: plan.position }
  let objects = 0
  let bytes = 0
  for (;;) {
    const byteBudget = budgetWithin(plan.byteBudget, plan.byteBudget - bytes)
    const part = await readRows(
      sources,
      { ...plan, position: last.position, byteBudget, pageSize: plan.pageSize - objects },
      state,
      { ...readLimits, longAfter },
    )
    clock ??= part.clock
    const records = await projected(part, plan.select)
    part.giveBack?.()
    // A part exceeds its budget only if it is a single object, and that may be too large for the rest of the page.
    if (objects > 0 && part.objects > 0 && bytes + records.length + separator.length > plan.byteBudget)
      return { clock, objects, ...joined(), more: true, timedOut: false, ...last }
    if (part.objects > 0) kept.push(records)
    bytes += records.length + separator.length
    objects += part.objects
    const isFull = objects === plan.pageSize || bytes >= plan.byteBudget
    const timedOut = part.timedOut || (part.more && !isFull && sources.elapsed() >= longAfter)
    const { more, position, positionIsHidden = false } = part
    last = { position, positionIsHidden }
    if (!more || isFull || timedOut) return { clock, objects, ...joined(), more, timedOut, ...last }
  }
}

/** Like the records that were read, the result lacks the closing braces of the last record. */
async function projected({ objects, records, shape }: PageRows, select: readonly string[]): Promise<Buffer> {
  if (objects === 0) return Buffer.alloc(0)
  const end = Buffer.from(recordEnd(shape))
  return (await projectRecords(Buffer.concat([records, end]), select, shape)).subarray(0, -end.length)
}

/**
 * Projection only ever removes bytes from records, so what fits before fits after. Halving keeps the number of sizes small, and
 * so the number of statements.
 */
function budgetWithin(whole: number, left: number): number {
  let budget = whole
  while (budget > left) budget = Math.floor(budget / 2)
  return budget
}
