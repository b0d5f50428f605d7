// Decides which orders a page can have: the primary key, a sortable property, or an order that the type declares. Any other
// order would have to be sorted for every page, so it is refused, and the error says what to declare.
import type { OrderDirection } from '@octavo/protocol'
import { sameKeys, type IndexDeclaration, type IndexKey } from '../../catalog/index-declaration.ts'
import { columnOf, type ObjectType } from '../../catalog/object-type.ts'
import { possibleOrders } from '../../catalog/possible-orders.ts'
import { invariant } from '../../base/errors/invariant.ts'
import { ServiceError } from '../../base/errors/service-error.ts'
import type { OrderByKey } from '../request/page-request.ts'
import type { OrderKey, PageOrder } from './page-plan.ts'

export function chooseOrder(type: ObjectType, wanted: readonly OrderByKey[]): PageOrder {
  const [first] = wanted
  if (first === undefined) return { keys: [primaryOrderKey(type, 'asc')], scan: 'forward' }
  if (first.property === type.key.property && wanted.length === 1) {
    return {
      keys: [primaryOrderKey(type, first.direction)],
      scan: first.direction === 'asc' ? 'forward' : 'backward',
    }
  }
  const keys = wanted.map((key) => orderKey(type, key))
  const scan = findScan(type, keys)
  if (scan === undefined) {
    throw new ServiceError('PropertiesNotSortable', {
      properties: wanted.map((key) => key.property),
      declaration: declarationFor(wanted),
      possibleOrders: possibleOrders(type),
    })
  }
  const last = keys.at(-1)
  invariant(last !== undefined, 'order-without-keys')
  // The tie-breaker runs in the direction of the last key: one index serves both directions.
  return { keys: last.column === 'pk' ? keys : [...keys, primaryOrderKey(type, last.direction)], scan }
}

/** The primary key as a key of an order: alone, or as the tie-breaker. */
export const primaryOrderKey = (type: ObjectType, direction: OrderDirection): OrderKey => ({
  column: 'pk',
  scalar: type.key.scalar,
  direction,
  nullable: false,
})

function orderKey(type: ObjectType, { property, direction }: OrderByKey): OrderKey {
  if (property === type.key.property) return primaryOrderKey(type, direction)
  const column = columnOf(type, property)
  if (column === undefined || column.many || !column.filled) {
    const isScalar = typeof type.definition.properties[property]?.type === 'string'
    throw new ServiceError('PropertiesNotSortable', {
      properties: [property],
      ...(isScalar && { declaration: declarationFor([{ property, direction }]) }),
      possibleOrders: possibleOrders(type),
    })
  }
  const nullable = type.definition.properties[property]?.required !== true
  return { column: column.name, scalar: column.scalar, direction, nullable }
}

function findScan(type: ObjectType, keys: readonly OrderKey[]): PageOrder['scan'] | undefined {
  const has = (wanted: readonly IndexKey[]) =>
    type.indexes.some(
      (index: IndexDeclaration) => index.kind === 'order' && index.ready && sameKeys(index.keys, wanted),
    )
  if (has(keys)) return 'forward'
  const reversed = keys.map(({ column, direction }) => ({
    column,
    direction: direction === 'asc' ? ('desc' as const) : ('asc' as const),
  }))
  // Only an order of one key can be read backward: with several keys, nulls of a later key would come first within each value of
  // the earlier ones.
  return keys.length === 1 && has(reversed) ? 'backward' : undefined
}

/** The declaration that would make the order possible. */
function declarationFor(wanted: readonly OrderByKey[]): string {
  const [first] = wanted
  return wanted.length === 1 && first !== undefined
    ? `"sortable": true to the property ${first.property}`
    : `${JSON.stringify({ fields: wanted.map(({ property, direction }) => ({ field: property, direction })) })} to "orders"`
}
