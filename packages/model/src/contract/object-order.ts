// The order of objects (P40 to P45), and how a definition declares it.
import type { DeclaredOrder, ObjectTypeDefinition, OrderDirection } from '@octavo/protocol'
import { compareSortKeys, sortKeyOf, type SortKey } from './compare-values.ts'
import type { ModelType, Properties } from './model-type.ts'

export interface OrderKey {
  readonly property: string
  readonly direction: OrderDirection
}

/** Ties are ordered by primary key, in the direction of the last key. */
export function expectedOrder(
  { primaryKey, properties }: ModelType,
  wanted: readonly OrderKey[],
): (a: Properties, b: Properties) => number {
  const last = wanted.at(-1)
  const keys =
    last?.property === primaryKey
      ? wanted
      : [...wanted, { property: primaryKey, direction: last?.direction ?? 'asc' }]
  const scalars = keys.map(({ property }) => {
    const type = properties[property]?.type
    if (typeof type !== 'string') throw new Error(`${property} has no order`)
    return [property, type] as const
  })
  // Each object is compared with many others.
  const computed = new WeakMap<Properties, readonly SortKey[]>()
  const sortKeysOf = (object: Properties) => {
    const sortKeys =
      computed.get(object) ?? scalars.map(([property, type]) => sortKeyOf(type, object[property]))
    computed.set(object, sortKeys)
    return sortKeys
  }
  return (a, b) => {
    const [left, right] = [sortKeysOf(a), sortKeysOf(b)]
    for (const [i, { direction }] of keys.entries()) {
      const compared = compareSortKeys(left[i] ?? null, right[i] ?? null, direction)
      if (compared !== 0) return compared
    }
    return 0
  }
}

/** The composite orders of a definition, as requests for pages name them. */
export const declaredOrders = ({
  orders = [],
}: Pick<ObjectTypeDefinition, 'orders'>): readonly (readonly OrderKey[])[] =>
  orders.map(({ fields }) => fields.map(({ field, direction }) => ({ property: field, direction })))

/** An order that requests name, as a definition declares it. */
export const declaredOrder = (...keys: readonly OrderKey[]): DeclaredOrder => ({
  fields: keys.map(({ property, direction }) => ({ field: property, direction })),
})
