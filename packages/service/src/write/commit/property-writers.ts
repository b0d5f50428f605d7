// What is known of a type's properties before any object arrives: computed once, used for millions of objects.
import { baseTypeName, limits, type PropertyDefinition } from '@octavo/protocol'
import type { Column } from '../../catalog/column.ts'
import type { ObjectType } from '../../catalog/object-type.ts'

export interface PropertyWriter {
  readonly name: string
  readonly type: PropertyDefinition['type']
  readonly baseType: string
  /** `"fullName":`, as in the stored text. */
  readonly member: string
  readonly isKey: boolean
  readonly needsValue: boolean
  /** The largest size of strings that an index holds; undefined for other properties. */
  readonly longest: { readonly bytes: number; readonly reason: string } | undefined
  /** Where the property's values go among the type's columns. */
  readonly columns: readonly { readonly place: number; readonly column: Column }[]
}

const made = new WeakMap<ObjectType, readonly PropertyWriter[]>()

export function propertyWriters(type: ObjectType): readonly PropertyWriter[] {
  let writers = made.get(type)
  if (writers === undefined) {
    // In the order of canonical JSON (RFC 8785), so that what is stored and served needs no sorting to be hashed.
    writers = Object.keys(type.definition.properties)
      .toSorted()
      .flatMap((name) => {
        const property = type.definition.properties[name]
        return property === undefined ? [] : [propertyWriter(type, name, property)]
      })
    made.set(type, writers)
  }
  return writers
}

function propertyWriter(type: ObjectType, name: string, property: PropertyDefinition): PropertyWriter {
  const isKey = name === type.key.property
  const isOrdered =
    property.sortable === true ||
    (type.definition.orders?.some(({ fields }) => fields.some(({ field }) => field === name)) ?? false)
  return {
    name,
    type: property.type,
    baseType: baseTypeName(property.type),
    member: `${JSON.stringify(name)}:`,
    isKey,
    needsValue: isKey || property.required === true,
    longest: longestString(property, { isKey, isOrdered }),
    columns: type.columns.flatMap((column, place) => (column.property === name ? [{ place, column }] : [])),
  }
}

function longestString(
  property: PropertyDefinition,
  { isKey, isOrdered }: { readonly isKey: boolean; readonly isOrdered: boolean },
): PropertyWriter['longest'] {
  const { primaryKeyBytes, sortableStringBytes, searchableStringBytes } = limits.value
  if (!baseTypeName(property.type).includes('String')) return undefined
  if (isKey) return { bytes: primaryKeyBytes, reason: 'it is the primary key' }
  if (isOrdered) return { bytes: sortableStringBytes, reason: 'pages are ordered by it' }
  if (property.counted) return { bytes: sortableStringBytes, reason: 'objects are counted by it' }
  if (!property.searchable) return undefined
  return typeof property.type === 'object' && 'array' in property.type
    ? { bytes: sortableStringBytes, reason: 'the values of a searchable array are looked up whole' }
    : { bytes: searchableStringBytes, reason: 'it is searchable' }
}
