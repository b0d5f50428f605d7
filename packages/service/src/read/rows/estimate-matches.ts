// Estimates how many objects match, from PostgreSQL's statistics and without reading a row.
import type { ObjectType } from '../../catalog/object-type.ts'
import type { TableSide } from '../../catalog/type-tables.ts'
import type { Filter } from '../../catalog/filter/filter.ts'
import type { SchemaDatabase } from '../../postgres/database.ts'
import { compileFilter } from '../sql/compile-filter.ts'
import { Parameters } from '../../base/sql-query.ts'

interface PlanNode {
  readonly 'Plan Rows': number
  readonly Plans?: readonly PlanNode[]
}

interface Explained {
  readonly Plan: PlanNode & {
    /** Citus: the plan of the node that holds the table. */
    readonly 'Distributed Query'?: {
      readonly Job: {
        readonly Tasks: readonly { readonly 'Remote Plan': readonly (readonly Explained[])[] }[]
      }
    }
  }
}

const planOf = (explained: Explained | undefined): PlanNode | undefined =>
  explained?.Plan['Distributed Query']?.Job.Tasks[0]?.['Remote Plan'][0]?.[0]?.Plan ?? explained?.Plan

/** Asks for all filters in one statement: each is one input of an append node, and the plan lists the inputs in order. */
export async function estimateMatches(
  database: SchemaDatabase,
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
  const [explained] = JSON.parse(rows[0]?.['QUERY PLAN'] ?? '[]') as readonly Explained[]
  const [, ...estimated] = planOf(explained)?.Plans ?? []
  return filters.map((_filter, i) => estimated[i]?.['Plan Rows'] ?? 0)
}
