// A page plan as one statement with one row. See README.md in this folder for a worked example.
import type { PagePlan } from '../plan/page-plan.ts'
import { withDead } from './compile-arm.ts'
import { compileRows } from './compile-rows.ts'
import { clockColumns, compileClock } from './compile-clock.ts'
import { rowStep } from './row-step.ts'
import { recordText } from './record-text.ts'
import { Parameters, type SqlQuery } from './sql-query.ts'

/**
 * The columns of the row, in order. After them come the keys of the last object's position, then the beginning of the first
 * record, and last the body: what ends the page is written behind it where it lies.
 */
export const pageColumns = [
  'version',
  'floor',
  'live',
  'revision',
  'largest',
  'tag',
  'snapshotLive',
  'found',
  'written',
  'whole',
] as const
export type PageColumn = (typeof pageColumns)[number]

export interface PageQueryOptions {
  /** Stops at the byte budget. It costs a running sum over the rows, so it is left out where no page can be so large. */
  readonly cutAtBudget: boolean
}

export function compilePageQuery(plan: PagePlan, { cutAtBudget }: PageQueryOptions): SqlQuery {
  const parameters = new Parameters()
  const { type, order, pageSize } = plan
  // One more than asked: whether more exist is seen in the same statement that reads the page.
  const limit = parameters.add(pageSize + 1, 'integer')
  const { rows, whole } = pageRows(plan, { parameters, limit })

  const record = recordText(plan.record, type, parameters)
  const keys = order.keys.map((key) => key.column)
  const running = cutAtBudget
    ? `, row_number() over () as place, sum(octet_length(scalars) + coalesce(octet_length(others), 0)) over (rows unbounded preceding) as bytes`
    : ''
  const kept = cutAtBudget
    ? ` filter (where place = 1 or (bytes <= ${parameters.add(plan.byteBudget, 'bigint')} and place < ${limit}))`
    : ''
  const written = `count(*)${kept}`
  // The place of the last object of the page, which is not the one that was read ahead.
  const last = `least(${written}, ${limit} - 1)`

  return {
    text: `
select ${clockColumns},
  p.found::text, p.written::text, ${whole}${keys.map((_key, i) => `, p.last_${i}`).join('')}, p.first_head, p.body
from ${compileClock(plan, parameters)}
cross join (
  select count(*) as found, ${written} as written, (array_agg(head))[1] as first_head,
    string_agg(${record.value}, head)${kept} as body${keys.map((_key, i) => `,\n    (array_agg(key_${i}))[${last}] as last_${i}`).join('')}
  from (
    select ${keys.map((key, i) => `${key}::text as key_${i}`).join(', ')}, ${record.head} as head, scalars, others${running}
    from (${rows}) as rows
    offset 0
  ) as framed
) as p
where k.object_type = ${parameters.add(type.id, 'integer')}`,
    values: parameters.values,
  }
}

interface PageRowsParts {
  readonly parameters: Parameters
  readonly limit: string
}

/**
 * At a version the page is what is alive in a stretch of twice its size: enough for one whose objects have all changed.
 * `whole` is asked for only where the page is not full: whether the rows ended there, or the stretch did.
 */
function pageRows(plan: PagePlan, { parameters, limit }: PageRowsParts) {
  const step = rowStep(plan.pageSize + 1)
  if (!withDead(plan)) {
    return { rows: compileRows(plan, { parameters, limit, rowsAtMost: step }), whole: 'true::text' }
  }
  const stretch = 2 * step
  const both = compileRows(plan, { parameters, limit: String(stretch), rowsAtMost: stretch })
  return {
    rows: `select * from (${both}) as stretch where alive limit ${limit}`,
    whole: `(case when p.found < ${limit} then (select count(*) from (${both}) as again) < ${stretch} else true end)::text`,
  }
}
