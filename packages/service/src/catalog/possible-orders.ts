import type { ObjectType } from './object-type.ts'

const mostOrders = 20

/**
 * The possible orders as revision 1.0 writes them. A single property can be read in both directions, several only as they are
 * declared.
 */
export function possibleOrders({ definition, key }: ObjectType): string[] {
  const single = Object.entries(definition.properties).filter(
    ([name, { sortable }]) => sortable || name === key.property,
  )
  const declared = (definition.orders ?? []).map(({ fields }) =>
    fields.map(({ field, direction }) => `properties.${field}:${direction}`).join(','),
  )
  return [...single.map(([name]) => `properties.${name}`), ...declared].slice(0, mostOrders)
}
