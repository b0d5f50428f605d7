import { everything } from '../plan/filter.ts'
import type { PagePlan } from '../plan/page-plan.ts'
import { compileFilter } from './compile-filter.ts'
import { compileRows } from './compile-rows.ts'
import { Parameters, type SqlQuery } from './sql-query.ts'

const stretch = 50_000

export interface CountQuery {
  readonly query: SqlQuery
  /** How many rows one statement reads at most when each must be checked. */
  readonly stretch: number
}

/** One row: matches, rows read, and the keys of the last row read. */
export function compileCountQuery(plan: PagePlan, { atMost }: { readonly atMost: number }): CountQuery {
  const parameters = new Parameters()
  const check = plan.access?.kind === 'scan' ? plan.access.check : everything
  const limit = check === everything ? parameters.add(atMost, 'integer') : String(stretch)
  const rows = compileRows(plan, { parameters, limit, rowsAtMost: stretch })
  const keys = plan.order.keys.map((key) => key.column)
  return {
    query: {
      text: `select (count(*) filter (where ${compileFilter(check, parameters)}))::text, count(*)::text${keys
        .map((key) => `, (array_agg(${key}::text))[count(*)]`)
        .join('')} from (${rows}) as rows`,
      values: parameters.values,
    },
    stretch,
  }
}
