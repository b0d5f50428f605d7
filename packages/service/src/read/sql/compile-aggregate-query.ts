// An aggregate as one statement: the rows that a plan reads, in no order, are checked, grouped, ordered and cut in the database.
// Each row of the answer is a group. It also has the clock and what was read for all groups together, so that nothing is used of
// a state that is gone, or of rows that were too many.
import { invariant } from '../../base/errors/invariant.ts'
import { Parameters, type SqlQuery } from '../../base/sql-query.ts'
import { columnType } from '../../catalog/column.ts'
import { countsAreKnown } from '../../catalog/counts.ts'
import type { AggregatePlan } from '../plan/aggregate-plan.ts'
import type { PagePlan } from '../plan/page-plan.ts'
import { compileSides } from './compile-arm.ts'
import { compileClock } from './compile-clock.ts'
import { compileFilter, compileRange } from './compile-filter.ts'
import { compileGrouping, compileMetric, quotient } from './compile-group.ts'
import { checkedColumns } from './compile-scan-query.ts'

export interface AggregateOptions {
  /** How many rows are read at most, rows that are not alive at the version among them. */
  readonly rowsAtMost: number
  readonly groupsAtMost: number
  /** How long the strings of all groups together may be. If they are longer, none is sent. */
  readonly bytesAtMost: number
}

/**
 * The columns of a row, in order. After them come the values of the group, then those of the metrics. Everything but `hit` and
 * `objects` is about all groups; of groups that do not fit, too.
 */
export const aggregateColumns = [
  'clock',
  'read',
  'alive',
  'groups',
  'grouped',
  'bytes',
  'hit',
  'objects',
] as const
export type AggregateColumn = (typeof aggregateColumns)[number]

export function compileAggregateQuery(plan: AggregatePlan, options: AggregateOptions): SqlQuery {
  return compileOfGroups(plan, options, (parameters) =>
    compileGroups(plan, compileChecked(plan, options.rowsAtMost, parameters)),
  )
}

/** The same, of the counts that commits have kept, where a plan asks for nothing else (isReadByCounts). */
export function compileCountsQuery(plan: AggregatePlan, options: AggregateOptions): SqlQuery {
  return compileOfGroups(plan, options, (parameters) => compileCounts(plan, options.rowsAtMost, parameters))
}

function compileOfGroups(
  plan: AggregatePlan,
  options: AggregateOptions,
  groupsBy: (parameters: Parameters) => string,
): SqlQuery {
  const { objects, groupings, metrics } = plan
  const parameters = new Parameters()
  const grouped = groupsBy(parameters)
  const order = [
    'hit desc',
    ...metricOrder(plan, parameters),
    ...groupings.map((_grouping, i) => `g${i} nulls last`),
  ]
  const fits = `p.bytes <= ${parameters.add(options.bytesAtMost, 'bigint')}`
  const cells = [
    ...groupings.map((_grouping, i) => `p.g${i}::text`),
    ...metrics.map(({ type }, i) =>
      type === 'avg' ? `p.m${i}::text || ' ' || p.n${i}::text` : `p.m${i}::text`,
    ),
  ].map((cell) => `, case when ${fits} then ${cell} end`)
  return {
    text: `
select ${compileClock(objects, parameters)}, p.all_read::text, p.all_alive::text, p.groups::text, p.grouped::text, p.bytes::text, p.hit::text, p.objects::text${cells.join('')}
from ${objects.type.tables.clock} k
left join (
  select *, sum(${stringBytes(plan)}) over () as bytes
  from (
    select *, sum(read) over () as all_read, sum(alive) over () as all_alive, count(*) filter (where hit) over () as groups,
      sum(objects) over () as grouped
    from (${grouped}) as grouped
    order by ${order.join(', ')}
    limit ${parameters.add(options.groupsAtMost, 'integer')}
  ) as wanted
) as p on true
where k.object_type = ${parameters.add(objects.type.id, 'integer')}`,
    values: parameters.values,
  }
}

/**
 * A row for each value, and one for the objects without a value, which is a group only if it is wanted and not empty. There is no row if
 * the counts are not those of the version.
 */
function compileCounts(
  { objects: { type }, groupings, metrics }: AggregatePlan,
  rowsAtMost: number,
  parameters: Parameters,
): string {
  const [grouping] = groupings
  invariant(grouping?.kind === 'exact', 'counts-of-no-value')
  const row = (value: string, count: string, hit: string) =>
    `select 1::bigint as read, 0::bigint as alive, ${count} as objects, ${hit} as hit, ${value}::${columnType(grouping.by.scalar)} as g0${metrics
      .map((_metric, i) => `, ${count} as m${i}`)
      .join('')}`
  const withoutValue = grouping.withNulls
    ? 'known.live - (select coalesce(sum(objects), 0)::bigint from counted)'
    : '0::bigint'
  return `with known as (
      select c.live from ${type.tables.clock} c where c.object_type = ${parameters.add(type.id, 'integer')} and ${countsAreKnown('c')}
    ), counted as materialized (
      select value, objects from ${type.tables.counts}
      where column_name = ${parameters.add(grouping.by.column, 'text')} and objects > 0 limit ${rowsAtMost}
    )
    ${row('c.value', 'c.objects', 'true')} from known cross join counted as c
    union all ${row('null', 'w.objects', 'w.objects > 0')} from (select ${withoutValue} as objects from known) as w`
}

/** The rows that are read. `alive` marks those of the version, `hit` those that belong to a group. */
function compileChecked(
  { objects, groupings, metrics }: AggregatePlan,
  rowsAtMost: number,
  parameters: Parameters,
): string {
  const { access } = objects
  const where =
    access?.kind === 'gather'
      ? [compileFilter(access.filter, parameters)]
      : compileRange(access?.within ?? { kind: 'everything' }, parameters)
  const columns = new Set([
    'pk',
    ...checkedColumns(objects),
    ...groupings.map(({ by }) => by.column),
    ...metrics.flatMap((metric) => (metric.type === 'count' ? [] : [metric.of.column])),
  ])
  // Rows that are not alive are marked and not left out, so that the limit is one of everything that is read. How many of them lie in
  // an epoch depends on hidden objects, so where there may be some, they are left out.
  const rows = compileSides(objects, parameters, (table, alive, epochs) => {
    const [passed, marked] = objects.isGuarded ? [alive, []] : [[], alive]
    const conditions = [...epochs, ...where, ...passed]
    return `select ${[...columns].join(', ')}, ${marked.join(' and ') || 'true'} as alive from ${table} as rows${conditions.length === 0 ? '' : ` where ${conditions.join(' and ')}`}`
  })
  const groups = groupings.map((grouping, i) => `${compileGrouping(grouping, parameters)} as g${i}`)
  const belongs = groupings.flatMap((grouping, i) =>
    grouping.kind === 'exact' && grouping.withNulls ? [] : [`g${i} is not null`],
  )
  return `select *, (${['alive', compileCheck(objects, parameters), ...belongs].join(' and ')}) is true as hit
    from (select ${['rows.*', ...groups].join(', ')} from (select * from (${rows}) as sides limit ${rowsAtMost}) as rows) as placed`
}

/** The conditions that the range of an index does not decide. */
const compileCheck = ({ access }: PagePlan, parameters: Parameters): string =>
  access?.kind === 'scan' ? compileFilter(access.check, parameters, 'placed') : 'true'

/** Rows that belong to no group are counted together. Without groupings, there is one group of all rows, also of none. */
function compileGroups({ groupings, metrics }: AggregatePlan, checked: string): string {
  const keys = groupings.map((_grouping, i) => `case when hit then g${i} end`)
  const values = metrics
    .map(compileMetric)
    .flatMap(({ value, values }, i) => [
      `${value} as m${i}`,
      ...(values === undefined ? [] : [`${values} as n${i}`]),
    ])
  const columns = [
    'count(*) as read',
    'count(*) filter (where alive) as alive',
    'count(*) filter (where hit) as objects',
    keys.length === 0 ? 'true as hit' : 'hit',
    ...keys.map((key, i) => `${key} as g${i}`),
    ...values,
  ]
  return `select ${columns.join(', ')} from (${checked}) as checked${keys.length === 0 ? '' : ` group by ${['hit', ...keys].join(', ')}`}`
}

function metricOrder({ orderedBy, metrics }: AggregatePlan, parameters: Parameters): readonly string[] {
  if (orderedBy === undefined) return []
  const { metric: i, direction } = orderedBy
  const value = metrics[i]?.type === 'avg' ? quotient(`m${i}`, `n${i}`, parameters) : `m${i}`
  return [`${value} ${direction === 'asc' ? 'asc' : 'desc'} nulls last`]
}

/** Only strings can be long. */
function stringBytes({ groupings, metrics }: AggregatePlan): string {
  const strings = [
    ...groupings.flatMap(({ kind, by }, i) => (kind === 'exact' && by.scalar === 'string' ? [`g${i}`] : [])),
    ...metrics.flatMap((metric, i) =>
      (metric.type === 'min' || metric.type === 'max') && metric.of.scalar === 'string' ? [`m${i}`] : [],
    ),
  ]
  return ['0', ...strings.map((value) => `coalesce(octet_length(${value}), 0)`)].join(' + ')
}
