// Compiles a filter to a condition on one row. Values are parameters, columns come from the catalog.
import { castType } from '../../catalog/column.ts'
import { startOf, startOfText, termsVector } from '../../catalog/index-declaration.ts'
import type {
  ComparisonFilter,
  Filter,
  FilterColumn,
  LinkedFilter,
  TermsFilter,
} from '../../catalog/filter/filter.ts'
import type { ObjectType } from '../../catalog/object-type.ts'
import type { Parameters } from '../../base/sql-query.ts'

/** The row that is checked has the name `row`: that of its query, which a link refers to from its own query. */
export function compileFilter(filter: Filter, parameters: Parameters, row = 'rows'): string {
  switch (filter.kind) {
    case 'everything':
      return 'true'
    case 'nothing':
      return 'false'
    case 'compare':
      return compileComparison(filter, parameters)
    case 'one-of': {
      const { column, values } = filter
      const list = parameters.add(values, castType(column.scalar, true))
      if (column.many) return `${column.name} && ${list}`
      const exact = `${column.name} = any(${list})`
      if (!column.start) return exact
      return `(${startOf(column.name)} = any(${parameters.add(values.map(startOfText), 'text[]')}) and ${exact})`
    }
    case 'missing':
      return `${heldBy(filter.column)} is null`
    case 'linked':
      return compileLinked(filter, parameters, row)
    case 'terms':
      return compileTerms(filter, parameters)
    case 'keyword':
      return `(${filter.columns.join(' || ')}) @> ${parameters.add(filter.terms, 'text[]')}`
    case 'and':
    case 'or':
      return `(${filter.filters.map((part) => compileFilter(part, parameters, row)).join(` ${filter.kind} `)})`
    case 'not':
      // Written so that an index can find it.
      if (filter.filter.kind === 'missing') return `${heldBy(filter.filter.column)} is not null`
      // In SQL a comparison with a missing value is unknown, and so is its negation. Here the negation must be true.
      return `((${compileFilter(filter.filter, parameters, row)}) is not true)`
    default:
      return filter satisfies never
  }
}

/** The expression that the index of a column holds. */
const heldBy = ({ name, start }: FilterColumn): string => (start ? startOf(name) : name)

/**
 * Compiles a filter to conditions on the leading key of an index. An equality is written as a range from the value to itself:
 * otherwise PostgreSQL would drop the key from the order, read the index of the primary key and check every row.
 */
export function compileRange(filter: Filter, parameters: Parameters): readonly string[] {
  if (filter.kind === 'everything') return []
  if (filter.kind === 'and') return filter.filters.flatMap((part) => compileRange(part, parameters))
  if (filter.kind !== 'compare' || filter.operator !== '=' || filter.column.many) {
    return [compileFilter(filter, parameters)]
  }
  const { column, value } = filter
  const parameter = parameters.add(value, castType(column.scalar))
  const held = heldBy(column)
  const bound = column.start ? startOf(parameter) : parameter
  return [
    `${held} >= ${bound}`,
    `${held} <= ${bound}`,
    ...(column.start ? [`${column.name} = ${parameter}`] : []),
  ]
}

function compileComparison({ column, operator, value }: ComparisonFilter, parameters: Parameters): string {
  if (column.start) {
    // The index keeps only the start of each string: the first condition finds the range, the second is exact.
    const text = parameters.add(value, 'text')
    const orEqual = operator === '<' ? '<=' : operator === '>' ? '>=' : operator
    return `(${startOf(column.name)} ${orEqual} ${startOf(text)} and ${column.name} ${operator} ${text})`
  }
  if (!column.many) return `${column.name} ${operator} ${parameters.add(value, castType(column.scalar))}`
  if (operator === '=') return `${column.name} @> ${parameters.add([value], castType(column.scalar, true))}`
  return `exists (select from unnest(${column.name}) as held(one) where one ${operator} ${parameters.add(value, castType(column.scalar))})`
}

function compileTerms({ column, match, terms }: TermsFilter, parameters: Parameters): string {
  const found = `${termsVector(column)} @@ ${parameters.add(termsQuery(match, terms), 'tsquery')}`
  if (match === 'anyTerm' || match === 'allTerms') return found
  if (match === 'prefix' && terms.length === 1) return found
  // The index knows which terms occur, but not where. Terms hold no spaces, so adjacent terms have exactly one space between
  // them.
  const text = ` ${terms.join(' ')}${match === 'phrase' ? ' ' : ''}`
  return `(${found} and strpos(' ' || array_to_string(${column}, ' ') || ' ', ${parameters.add(text, 'text')}) > 0)`
}

function termsQuery(match: TermsFilter['match'], terms: readonly string[]): string {
  const quoted = terms.map((term) => `'${term.replaceAll(/['\\]/g, '$&$&')}'`)
  switch (match) {
    case 'anyTerm':
      return quoted.join(' | ')
    case 'prefix':
      return [...quoted.slice(0, -1), `${quoted.at(-1)}:*`].join(' & ')
    case 'allTerms':
    case 'phrase':
      return quoted.join(' & ')
    default:
      return match satisfies never
  }
}

/**
 * Whether an object of the other type is linked to the row. The fences (`offset 0`) keep PostgreSQL from reading the whole other type
 * once instead of looking one key up. History is looked at only if something has been committed since the state.
 */
function compileLinked({ column, other }: LinkedFilter, parameters: Parameters, row: string): string {
  const { type, at, filter } = other
  const version = parameters.add(at.version, 'bigint')
  const id = parameters.add(type.id, 'integer')
  // Other links within this one have more parameters before them, so each has another name.
  const linked = `linked_${parameters.values.length}`
  const conditions = [
    compileJoin(`${row}.${column.name}`, column, `${linked}.${other.column.name}`, other.column),
    compileFilter(filter, parameters, linked),
    `version_from <= ${version}`,
  ]
  const { current, history, clock } = type.tables
  const found = (table: string, more: readonly string[]) =>
    `exists (select from ${table} as ${linked} where ${[...more, ...conditions].join(' and ')} offset 0)`
  const changed = `(select k.version from ${clock} k where k.object_type = ${id}) > ${version}`
  const ended = found(history, [compileEndedSince(type, version, id), `version_to > ${version}`])
  return `(${found(current, [])} or (${changed} and ${ended}))`
}

/** Both columns hold keys of the same type; one of them may hold several. */
function compileJoin(of: string, column: FilterColumn, ofOther: string, other: FilterColumn): string {
  if (column.many) return `${ofOther} = any(${of})`
  if (other.many) return `${ofOther} @> array[${of}]::${castType(other.scalar, true)}`
  if (!other.start) return `${ofOther} = ${of}`
  return `${startOf(ofOther)} = ${startOf(of)} and ${ofOther} = ${of}`
}

/** The epochs of history in which a row that was alive at the version can have ended. */
function compileEndedSince({ tables }: ObjectType, version: string, id: string): string {
  const commit = `join ${tables.commits} m on m.object_type = k.object_type and m.version = ${version}`
  return `epoch = any(array(select generate_series(m.epoch, k.epoch) from ${tables.clock} k ${commit} where k.object_type = ${id}))`
}
