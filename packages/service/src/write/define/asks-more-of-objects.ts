import { propertyWriters } from '../commit/property-writers.ts'
import type { ObjectType } from '../../catalog/object-type.ts'

/** Whether an object can fit the type as it was and not as it will be: only then must the stored objects be checked. */
export function asksMoreOfObjects(before: ObjectType, after: ObjectType): boolean {
  const writersBefore = new Map(propertyWriters(before).map((writer) => [writer.name, writer]))
  const isStricter = propertyWriters(after).some(({ name, needsValue, longest }) => {
    const earlier = writersBefore.get(name)
    if (needsValue && earlier?.needsValue !== true) return true
    // No values of a new property are stored yet.
    if (earlier === undefined || longest === undefined) return false
    return earlier.longest === undefined || earlier.longest.bytes > longest.bytes
  })
  return isStricter || ordersTogether(after).some((order) => !ordersTogether(before).includes(order))
}

/**
 * The names of the strings that must fit into one index entry together, one text for each order that has several: for the order
 * `department, age, city` it is `city,department`. The index is as large in whatever order the names come.
 */
const ordersTogether = ({ definition, key }: ObjectType): readonly string[] =>
  (definition.orders ?? [])
    .map(({ fields }) =>
      fields
        .map(({ field }) => field)
        .filter((name) => name !== key.property && definition.properties[name]?.type === 'string')
        .toSorted(),
    )
    .filter((strings) => strings.length > 1)
    .map((strings) => strings.join())
