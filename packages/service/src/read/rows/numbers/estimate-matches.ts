// Estimates how many objects match, from PostgreSQL's statistics and without reading a row.
import type { ObjectType } from '../../../catalog/object-type.ts'
import type { TableSide } from '../../../catalog/type-tables.ts'
import type { Filter } from '../../../catalog/filter/filter.ts'
import type { MatchEstimate } from '../../plan/choose-access.ts'
import { compileFilter } from '../../sql/compile-filter.ts'
import type { RowSources } from '../state/row-sources.ts'
import { Parameters } from '../../../base/sql-query.ts'

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

/**
 * Asks for everything in one statement: each count is one input of an append node, and the plan lists the inputs in order. In each
 * table, all rows are counted before those that match. As many rows of history are alive at a version as there are objects, at most.
 */
export async function estimateMatches(
  { database }: Pick<RowSources, 'database'>,
  type: ObjectType,
  filters: readonly Filter[],
  sides: readonly TableSide[],
): Promise<readonly MatchEstimate[]> {
  const parameters = new Parameters()
  const conditions = ['true', ...filters.map((filter) => compileFilter(filter, parameters))]
  // The limit keeps the inputs apart, even one that the planner can prove to match nothing.
  const inputs = sides.flatMap((side) =>
    conditions.map(
      (where) => `(select 1 from ${type.tables[side]} as rows where ${where} limit 9223372036854775807)`,
    ),
  )
  const rows = await database.holding(type.schema).rows({
    text: `explain (format json) select 1 union all ${inputs.join(' union all ')}`,
    values: parameters.values,
  })
  const [explained] = JSON.parse(rows[0]?.['QUERY PLAN'] ?? '[]') as readonly Explained[]
  const [, ...estimated] = (planOf(explained)?.Plans ?? []).map((input) => input['Plan Rows'])
  const countsOf = (side: TableSide) => {
    const first = sides.indexOf(side) * conditions.length
    const [all = 0, ...matches] = sides.includes(side)
      ? estimated.slice(first, first + conditions.length)
      : []
    return { all, matches }
  }
  const [current, history] = [countsOf('current'), countsOf('history')]
  const aliveShare = Math.min(1, current.all / Math.max(1, history.all))
  return filters.map((_filter, i) => {
    const [now, before] = [current.matches[i] ?? 0, history.matches[i] ?? 0]
    return { objects: now + before * aliveShare, states: now + before }
  })
}
