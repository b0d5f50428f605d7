// Estimates how many objects match, from PostgreSQL's statistics and without reading a row.
import type { ObjectType } from '../../catalog/object-type.ts'
import type { TableSide } from '../../catalog/type-tables.ts'
import type { Filter } from '../../catalog/filter/filter.ts'
import type { Database } from '../../postgres/database.ts'
import { compileFilter } from '../sql/compile-filter.ts'
import { Parameters } from '../../base/sql-query.ts'

interface PlanNode {
  readonly 'Plan Rows': number
  readonly Plans?: readonly PlanNode[]
}

/** Asks for all filters in one statement: each is one input of an append node, and the plan lists the inputs in order. */
export async function estimateMatches(
  database: Database,
  type: ObjectType,
  filters: readonly Filter[],
  sides: readonly TableSide[],
): Promise<readonly number[]> {
  const parameters = new Parameters()
  // The limit keeps the inputs apart, even one that the planner can prove to match nothing.
  const inputs = filters.map((filter) => {
    const where = compileFilter(filter, parameters)
    const rows = sides.map((side) => `select 1 from ${type.tables[side]} where ${where}`).join(' union all ')
    return `(${rows} limit 9223372036854775807)`
  })
  const rows = await database.rows({
    text: `explain (format json) select 1 union all ${inputs.join(' union all ')}`,
    values: parameters.values,
  })
  const [statement] = JSON.parse(rows[0]?.['QUERY PLAN'] ?? '[]') as readonly { readonly Plan: PlanNode }[]
  const [, ...estimated] = statement?.Plan.Plans ?? []
  return filters.map((_filter, i) => estimated[i]?.['Plan Rows'] ?? 0)
}
