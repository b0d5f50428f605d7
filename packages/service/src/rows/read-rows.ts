import { everything } from '../plan/filter.ts'
import { invariant } from '../errors/invariant.ts'
import type { PagePlan } from '../plan/page-plan.ts'
import { compilePageQuery } from '../sql/compile-page-query.ts'
import { recordSeparator } from '../sql/record-text.ts'
import type { PageRows } from './page-rows.ts'
import type { RowSources } from './row-sources.ts'
import { positionOf, readFields } from './row-fields.ts'
import { scanRows } from './scan-rows.ts'

export async function readRows(sources: RowSources, plan: PagePlan, signal?: AbortSignal): Promise<PageRows> {
  if (plan.access?.kind === 'scan' && plan.access.check !== everything) return scanRows(sources, plan, signal)
  const name = plan.type.tables.current
  const largest = sources.largestSeen.get(name)
  const cutAtBudget = largest === undefined || largest * plan.pageSize > plan.byteBudget
  const page = await readOnce(sources, plan, { cutAtBudget, signal })
  // Larger objects than any seen so far came in between: the page is read again, with the budget. What the same
  // statement says about the largest decides, so that a page never depends on what this process believed.
  const largestNow = sources.largestSeen.get(name) ?? 0
  if (!cutAtBudget && largestNow * plan.pageSize > plan.byteBudget) {
    return (await readOnce(sources, plan, { cutAtBudget: true, signal })) ?? scanRows(sources, plan, signal)
  }
  return page ?? scanRows(sources, plan, signal)
}

interface ReadOptions {
  readonly cutAtBudget: boolean
  readonly signal: AbortSignal | undefined
}

/** Nothing when one statement was not enough: at a version, where more objects are new than a page has. */
async function readOnce(
  sources: RowSources,
  plan: PagePlan,
  options: ReadOptions,
): Promise<PageRows | undefined> {
  const { type } = plan
  const row = readFields(type, await sources.database.bytes(compilePageQuery(plan, options), options.signal))
  const seen = sources.largestSeen.get(type.tables.current) ?? 0
  // Never less than before: answers may arrive in another order than the database gave them.
  sources.largestSeen.set(type.tables.current, Math.max(seen, row.largest))

  if (!row.whole) return undefined
  const objects = Math.min(row.written, plan.pageSize)
  const more = row.found > objects
  return {
    clock: row.clock,
    objects,
    more,
    timedOut: false,
    position: more ? positionOf(row.rest) : undefined,
    firstHead: row.firstHead.subarray(recordSeparator.length),
    body: withoutReadAhead(row.body, { written: row.written, objects }),
    giveBack: () => sources.database.giveBack(row.source),
  }
}

/** The object that was read ahead stands last, on a line of its own. */
function withoutReadAhead(
  body: Buffer,
  { written, objects }: { readonly written: number; readonly objects: number },
): Buffer {
  if (written === objects) return body
  const lineEnd = body.lastIndexOf(0x0a)
  invariant(lineEnd > 0 && written === objects + 1, 'read-ahead-without-a-line')
  // The record before it ends with the separator's beginning, which write-page adds to every last record itself.
  return body.subarray(0, lineEnd + 1 - recordSeparator.length)
}
