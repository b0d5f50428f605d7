import { everything } from '../../catalog/filter/filter.ts'
import type { PagePlan } from '../plan/page-plan.ts'
import { withDead } from './compile-arm.ts'
import { compileClock } from './compile-clock.ts'
import { compileRows } from './compile-rows.ts'
import { checkedColumns, compileHit } from './compile-scan-query.ts'
import { Parameters, type SqlQuery } from '../../base/sql-query.ts'
import { atLastEnd, compileEnd } from './stretch-end.ts'

export interface CountOptions {
  /** The largest number of matches to count where every row is a match. */
  readonly atMost: number
  /** How many rows are read at most where each has to be checked. */
  readonly stretch: number
}

/** Whether some of the rows that are read may not count. */
export const needsCheck = (plan: PagePlan): boolean =>
  withDead(plan) || (plan.access?.kind === 'scan' && plan.access.check !== everything)

/** One row: the clock, the number of matches, the number of rows read, and the keys of the row where the reading ended. */
export function compileCountQuery(plan: PagePlan, { atMost, stretch }: CountOptions): SqlQuery {
  const parameters = new Parameters()
  const limit = needsCheck(plan) ? String(stretch) : parameters.add(atMost, 'integer')
  const rows = compileRows(plan, {
    parameters,
    limit,
    rowsAtMost: stretch,
    columns: checkedColumns(plan),
  })
  const keys = plan.order.keys.map((key) => key.column)
  const ends = keys.map((key, i) => `, ${atLastEnd(`${key}::text`)} as read_${i}`).join('')
  return {
    text: `
select ${compileClock(plan, parameters)}, p.matched::text, p.scanned::text${keys.map((_key, i) => `, p.read_${i}`).join('')}
from ${plan.type.tables.clock} k
cross join (
  select count(*) filter (where ${compileHit(plan, parameters)}) as matched, count(*) as scanned${ends}
  from (select *, ${compileEnd(plan, 'pk')} as is_end from (${rows}) as rows window stretch as ()) as rows
) as p
where k.object_type = ${parameters.add(plan.type.id, 'integer')}`,
    values: parameters.values,
  }
}
