import { everything } from '../plan/filter.ts'
import type { PagePlan } from '../plan/page-plan.ts'
import { withDead } from './compile-arm.ts'
import { compileRows } from './compile-rows.ts'
import { checkedColumns, compileHit } from './compile-scan-query.ts'
import { Parameters, type SqlQuery } from './sql-query.ts'
import { atLastEnd, compileEnd } from './stretch-end.ts'

export interface CountOptions {
  /** Matches, where every row is one. */
  readonly atMost: number
  /** How many rows are read at most where each has to be checked. */
  readonly stretch: number
}

/** Whether some of the rows read may not count. */
export const needsCheck = (plan: PagePlan): boolean =>
  withDead(plan) || (plan.access?.kind === 'scan' && plan.access.check !== everything)

/** One row: matches, rows read, and the keys of where the reading ended. */
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
  return {
    text: `select (count(*) filter (where ${compileHit(plan, parameters)}))::text, count(*)::text${keys
      .map((key) => `, ${atLastEnd(`${key}::text`)}`)
      .join(
        '',
      )} from (select *, ${compileEnd(plan, 'pk')} as is_end from (${rows}) as rows window stretch as ()) as rows`,
    values: parameters.values,
  }
}
