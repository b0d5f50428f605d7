// Lists the ways in which a page of a filtered collection could be found. Which one is best depends on how many objects match
// which condition; choose-access.ts decides.
import type { ObjectType } from '../../catalog/object-type.ts'
import { startOf } from '../../catalog/index-declaration.ts'
import { primaryOrderKey } from './choose-order.ts'
import { orderName, type Access, type PageOrder } from './page-plan.ts'
import { allOf, everything, type Filter, type FilterColumn } from '../../catalog/filter/filter.ts'

export interface WantedAccess {
  readonly filter: Filter
  /** The order that the request names; undefined when the service may choose. */
  readonly order: PageOrder | undefined
  /** The order of a page when nothing else decides it: by the primary key. */
  readonly keyOrder: PageOrder
}

export function listAccesses(type: ObjectType, { filter, order, keyOrder }: WantedAccess): readonly Access[] {
  const parts = filter.kind === 'and' ? filter.filters : [filter]
  const accesses: Access[] = []
  /** The conditions on the column that leads the order are the range of its index; the others are checked row by row. */
  const addScan = (scanned: PageOrder, leads: (column: FilterColumn) => boolean) => {
    const within = parts.filter((part) => isRange(part) && leads(columnOfRange(part)))
    const check = parts.filter((part) => !within.includes(part))
    accesses.push({ kind: 'scan', order: scanned, within: allOf(within), check: allOf(check) })
  }
  if (order !== undefined) {
    addScan(order, (column) => column.name === order.keys[0]?.column && !column.start)
  } else {
    const columns = new Map(
      parts.filter(isRange).map((part) => [columnOfRange(part).name, columnOfRange(part)] as const),
    )
    for (const column of columns.values()) {
      const columnOrder = orderOfColumn(type, column)
      if (columnOrder !== undefined) addScan(columnOrder, ({ name }) => name === column.name)
    }
    if (!columns.has('pk')) addScan(keyOrder, () => false)
  }
  if (isIndexed(filter)) accesses.push({ kind: 'gather', order: order ?? keyOrder, filter })
  return accesses
}

type RangeFilter = Extract<Filter, { kind: 'compare' | 'one-of' | 'missing' | 'not' }>

/** Whether the filter is a range of values of one single-valued column. */
function isRange(filter: Filter): filter is RangeFilter {
  switch (filter.kind) {
    case 'compare':
    case 'one-of':
    case 'missing':
      return !filter.column.many
    case 'not':
      return filter.filter.kind === 'missing' && !filter.filter.column.many
    case 'everything':
    case 'nothing':
    case 'linked':
    case 'terms':
    case 'keyword':
    case 'and':
    case 'or':
      return false
    default:
      return filter satisfies never
  }
}

const columnOfRange = (filter: RangeFilter): FilterColumn => {
  if (filter.kind !== 'not') return filter.column
  // isRange lets only the negation of `missing` through.
  return (filter.filter as Extract<Filter, { kind: 'missing' }>).column
}

/** The order of the column's own index; undefined if it has none. */
function orderOfColumn(
  type: ObjectType,
  column: Pick<FilterColumn, 'name' | 'scalar'>,
): PageOrder | undefined {
  const key = primaryOrderKey(type, 'asc')
  if (column.name === 'pk') return { keys: [key], scan: 'forward' }
  const index = type.indexes.find(
    ({ kind, ready, keys }) =>
      (kind === 'order' || kind === 'start') && ready && keys.length === 1 && keys[0]?.column === column.name,
  )
  if (index === undefined) return undefined
  const lead = { column: column.name, scalar: column.scalar, direction: 'asc', nullable: true } as const
  return {
    keys: [
      index.kind === 'start'
        ? { ...lead, column: `${column.name}_start`, source: startOf(column.name) }
        : lead,
      key,
    ],
    scan: 'forward',
  }
}

/** The order that a walk began in, as long as it has an index. */
export const orderNamed = (type: ObjectType, name: string): PageOrder | undefined =>
  type.columns
    .filter(({ role }) => role === 'value')
    .map((column) => orderOfColumn(type, column))
    .find((order) => order !== undefined && orderName(order) === name)

/** Whether indexes alone can find the matches. A gather finds at once that nothing matches; a scan would read the whole index. */
const isIndexed = (filter: Filter): boolean =>
  isFoundBy(
    filter,
    (condition) =>
      isFoundByRange(condition) ||
      condition.kind === 'terms' ||
      condition.kind === 'one-of' ||
      (condition.kind === 'compare' && condition.operator === '='),
  )

/**
 * Whether an index of history that begins with the epoch finds the matches, and so passes over what ended before the version. The
 * indexes of terms and of members of arrays have no epoch.
 */
export const isFoundByEpoch = (filter: Filter): boolean => isFoundBy(filter, isFoundByRange)

/** Whether an index of whole values or of their starts finds the matches: in history these begin with the epoch. */
const isFoundByRange = (condition: Filter): boolean =>
  condition.kind === 'nothing' || (condition.kind !== 'not' && isRange(condition))

/** A conjunction needs one condition that an index finds, a disjunction needs all of them. */
function isFoundBy(filter: Filter, finds: (condition: Filter) => boolean): boolean {
  if (filter.kind === 'and') return filter.filters.some((each) => isFoundBy(each, finds))
  if (filter.kind === 'or') return filter.filters.every((each) => isFoundBy(each, finds))
  return finds(filter)
}

/** Whether every row of the range matches, so that a page reads no row in vain. */
export const decidesAll = (access: Access): boolean => access.kind === 'scan' && access.check === everything
