// The rows that a page is taken from, in the order of the page: ranges of an index one after the other, or the rows that a
// filter gathered.
import { invariant } from '../../base/errors/invariant.ts'
import { startOf } from '../../catalog/index-declaration.ts'
import { everything, type Filter } from '../../catalog/filter/filter.ts'
import type { PagePlan } from '../plan/page-plan.ts'
import { splitIntoArms } from '../plan/split-into-arms.ts'
import { castType } from '../../catalog/column.ts'
import {
  compileArm,
  compileConditions,
  compileOrder,
  compileSides,
  rowColumns,
  selected,
  withDead,
} from './compile-arm.ts'
import { compileFilter, compileRange } from './compile-filter.ts'
import { isKeyOrder } from './record-text.ts'
import type { Parameters } from '../../base/sql-query.ts'

export interface RowsParts {
  readonly parameters: Parameters
  /** The number of rows wanted: `limit` as SQL, usually a parameter; `rowsAtMost` as a literal in the statement's text. */
  readonly limit: string
  readonly rowsAtMost: number
  /** The columns to read in addition to the keys of the order. */
  readonly columns: readonly string[]
}

export function compileRows(plan: PagePlan, parts: RowsParts): string {
  const { access } = plan
  if (access?.kind === 'gather') return gatheredRows(plan, access.filter, parts)
  const within = access?.within ?? everything
  const list = listIn(within)
  // Nulls come last: a position that is null is past all values of the list.
  const pastValues = plan.position !== undefined && plan.position[0] === null
  return list === undefined || pastValues ? rangedRows(plan, within, parts) : listedRows(plan, list, parts)
}

/** A part of a collection is read in the order of the key and ends with a key. */
function compilePartEnd({ end, type, order }: PagePlan, parameters: Parameters): readonly string[] {
  if (end === undefined) return []
  invariant(isKeyOrder(order) && order.scan === 'forward', 'part-in-another-order')
  return [`pk <= ${parameters.add(end, castType(type.key.scalar))}`]
}

/**
 * PostgreSQL reads the arms one after the other and stops when it has enough rows. Parallel workers never read a subquery with a
 * limit, so nothing can change the order of the arms.
 */
function rangedRows(plan: PagePlan, within: Filter, parts: RowsParts): string {
  const { parameters, limit, rowsAtMost } = parts
  const range = [...compileRange(within, parameters), ...compilePartEnd(plan, parameters)]
  const arms = splitIntoArms(plan.order, plan.position).map((arm) =>
    compileArm(plan, arm, { ...parts, range }),
  )
  const [only, second] = arms
  if (only !== undefined && second === undefined && limit === String(rowsAtMost)) return only
  return `select * from (${arms.map((arm) => `(${arm})`).join('\nunion all\n')}) as arms limit ${limit}`
}

interface ValueList {
  readonly list: Extract<Filter, { kind: 'one-of' }>
  readonly rest: Filter
}

/** Finds a list of values for the leading key. Each value is a separate range. */
function listIn(within: Filter): ValueList | undefined {
  if (within.kind === 'one-of') return { list: within, rest: everything }
  if (within.kind !== 'and') return undefined
  const list = within.filters.find((filter) => filter.kind === 'one-of')
  if (list === undefined) return undefined
  return { list, rest: { kind: 'and', filters: within.filters.filter((filter) => filter !== list) } }
}

/**
 * Reads value by value in order, because PostgreSQL would not read `= any` from an index in order. Values before the position
 * have no rows left. Values after it are read from their beginning, without the position: with both conditions, PostgreSQL would
 * read all rows between the position and the value.
 */
function listedRows(plan: PagePlan, values: ValueList, parts: RowsParts): string {
  if (plan.position === undefined) return eachValue(plan, values, { ...parts, from: undefined })
  const from = plan.position[0] ?? ''
  const beyond = plan.order.keys[0]?.direction === 'desc' ? '<' : '>'
  const reached = eachValue(plan, values, { ...parts, from: { is: '=', value: from } })
  const left = eachValue({ ...plan, position: undefined }, values, {
    ...parts,
    from: { is: beyond, value: from },
  })
  return `select * from ((${reached})\nunion all\n(${left})) as reached limit ${parts.limit}`
}

interface SomeValues extends RowsParts {
  readonly from: { readonly is: '=' | '<' | '>'; readonly value: string } | undefined
}

function eachValue(plan: PagePlan, { list, rest }: ValueList, { from, ...parts }: SomeValues) {
  const { parameters, limit, rowsAtMost } = parts
  const { column, values } = list
  const valueList = parameters.add(values, castType(column.scalar, true))
  // The values must come in the order of the column, which for strings differs from that of the database.
  const one = `${column.start ? startOf('given.one') : 'given.one'}${column.scalar === 'string' ? ' collate "C"' : ''}`
  const some =
    from === undefined
      ? ''
      : ` where ${one} ${from.is} ${parameters.add(from.value, castType(column.scalar))}`
  const held = column.start ? startOf(column.name) : column.name
  const range = [
    `${held} >= value.one`,
    `${held} <= value.one`,
    ...(column.start ? [`${column.name} = any(${valueList})`] : []),
    ...compileRange(rest, parameters),
    ...compilePartEnd(plan, parameters),
  ]
  const arms = splitIntoArms(plan.order, plan.position).map((arm) =>
    compileArm(plan, arm, { ...parts, range }),
  )
  const names = [
    ...rowColumns(plan.order, parts.columns).map(({ name }) => name),
    ...(withDead(plan) ? ['alive'] : []),
  ]
    .map((name) => `found.${name}`)
    .join(', ')
  return `select ${names} from (select distinct ${one} as one from unnest(${valueList}) as given(one)${some} order by 1 ${plan.order.keys[0]?.direction ?? 'asc'}) as value
cross join lateral (select * from (${arms.map((arm) => `(${arm})`).join(' union all ')}) as arms limit ${rowsAtMost}) as found limit ${limit}`
}

/**
 * The fence (`offset 0`) keeps PostgreSQL from reading an index in the wanted order and checking every row of it instead, and
 * from looking up everything after the position in the index of the primary key: the filter finds only few rows. No index gives
 * the order here, so nulls are simply sorted to the end, in both directions (P40).
 */
function gatheredRows(plan: PagePlan, filter: Filter, { parameters, limit, columns }: RowsParts): string {
  const where = [compileFilter(filter, parameters), ...compilePartEnd(plan, parameters)]
  const sides = compileSides(
    plan,
    parameters,
    (table, alive, epochs) =>
      `select ${selected(plan.order, columns)} from ${table} as rows where ${[...where, ...epochs, ...alive].join(' and ')} offset 0`,
  )
  // In the gathered rows, every key has its name.
  const named = { ...plan.order, keys: plan.order.keys.map(({ source: _left, ...key }) => key) }
  const arms = splitIntoArms(named, plan.position).map((arm) => compileConditions(arm, parameters))
  const after = arms.every((arm) => arm.length > 0)
    ? ` where ${arms.map((arm) => `(${arm.join(' and ')})`).join(' or ')}`
    : ''
  return `select * from (${sides}) as gathered${after} order by ${compileOrder({ ...plan.order, scan: 'forward' }, 'names')} limit ${limit}`
}
