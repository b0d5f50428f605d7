import { propertyWriters } from '../commit/property-writers.ts'
import type { ObjectType } from '../../catalog/object-type.ts'

/** Whether there can be objects that fit the type as it was and not as it will be: only then must they be looked at. */
export function asksMoreOfObjects(before: ObjectType, after: ObjectType): boolean {
  const known = new Map(propertyWriters(before).map((writer) => [writer.name, writer]))
  const isStricter = propertyWriters(after).some(({ name, needsValue, longest }) => {
    const earlier = known.get(name)
    if (needsValue && earlier?.needsValue !== true) return true
    // Of a property that is new nothing is stored.
    if (earlier === undefined || longest === undefined) return false
    return earlier.longest === undefined || earlier.longest.bytes > longest.bytes
  })
  return isStricter || ordersTogether(after).some((order) => !ordersTogether(before).includes(order))
}

/** Orders whose strings must fit into one entry of an index together, as texts that can be compared. */
const ordersTogether = ({ definition, key }: ObjectType): readonly string[] =>
  (definition.orders ?? [])
    .map((order) =>
      order
        .map(({ property }) => property)
        .filter((name) => name !== key.property && definition.properties[name]?.type === 'string')
        .toSorted(),
    )
    .filter((strings) => strings.length > 1)
    .map((strings) => strings.join())
