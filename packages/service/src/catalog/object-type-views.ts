import { baseTypeName, type ListedObjectType, type Rid, type SearchableObjectType } from '@octavo/protocol'
import { shownLinks } from './links.ts'
import type { ObjectType } from './object-type.ts'

export const texts = ({ displayName, description }: { displayName?: string; description?: string }) => ({
  ...(displayName !== undefined && { displayName }),
  ...(description !== undefined && { description }),
})

/** Computes a view once for each ObjectType, for as long as that is cached. */
export function onceForEach<View>(view: (type: ObjectType) => View): (type: ObjectType) => View {
  const made = new WeakMap<ObjectType, View>()
  return (type) => {
    const known = made.get(type) ?? view(type)
    made.set(type, known)
    return known
  }
}

/** The type as revision 1.0 shows it. */
export const asListed = onceForEach(({ rid, definition }): ListedObjectType => ({
  apiName: definition.apiName,
  ...texts(definition),
  status: definition.status ?? 'ACTIVE',
  ...(definition.visibility !== undefined && { visibility: definition.visibility }),
  primaryKey: [definition.primaryKey],
  properties: Object.fromEntries(
    Object.entries(definition.properties).map(([name, property]) => [
      name,
      { baseType: baseTypeName(property.type), ...texts(property) },
    ]),
  ),
  rid: rid as Rid,
}))

/** The type as revision 2.0 shows it, including which queries each property supports. */
export const asSearchable = (type: ObjectType, types: readonly ObjectType[]): SearchableObjectType => ({
  ...withoutLinks(type),
  links: shownLinks(type, types),
})

const withoutLinks = onceForEach(({ definition }): Omit<SearchableObjectType, 'links'> => ({
  apiName: definition.apiName,
  displayName: definition.displayName,
  ...(definition.description !== undefined && { description: definition.description }),
  status: definition.status ?? 'ACTIVE',
  visibility: definition.visibility ?? 'NORMAL',
  primaryKey: definition.primaryKey,
  titleProperty: definition.titleProperty,
  properties: Object.fromEntries(
    Object.entries(definition.properties).map(([name, property]) => [
      name,
      {
        type: property.type,
        ...texts(property),
        // The primary key can always be searched and ordered by.
        searchable: property.searchable === true || name === definition.primaryKey,
        sortable: property.sortable === true || name === definition.primaryKey,
      },
    ]),
  ),
  orders: definition.orders ?? [],
}))
