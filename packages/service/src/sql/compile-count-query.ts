import { everything } from '../plan/filter.ts'
import type { PagePlan } from '../plan/page-plan.ts'
import { withDead } from './compile-arm.ts'
import { compileRows } from './compile-rows.ts'
import { checkedColumns, compileHit } from './compile-scan-query.ts'
import { Parameters, type SqlQuery } from './sql-query.ts'

const stretch = 50_000

export interface CountQuery {
  readonly query: SqlQuery
  /** How many rows one statement reads at most when each must be checked. */
  readonly stretch: number
}

/** Whether some of the rows read may not count. */
export const needsCheck = (plan: PagePlan): boolean =>
  withDead(plan) || (plan.access?.kind === 'scan' && plan.access.check !== everything)

/** One row: matches, rows read, and the keys of the last row read. */
export function compileCountQuery(plan: PagePlan, { atMost }: { readonly atMost: number }): CountQuery {
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
    query: {
      text: `select (count(*) filter (where ${compileHit(plan, parameters)}))::text, count(*)::text${keys
        .map((key) => `, (array_agg(${key}::text))[count(*)]`)
        .join('')} from (${rows}) as rows`,
      values: parameters.values,
    },
    stretch,
  }
}
