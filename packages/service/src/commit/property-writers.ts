// What is known of a type's properties before any object comes: worked out once, used for millions.
import { baseTypeName, limits, type PropertyDefinition } from '@octavo/protocol'
import type { ObjectType } from '../catalog/object-type.ts'

export interface PropertyWriter {
  readonly name: string
  readonly type: PropertyDefinition['type']
  readonly baseType: string
  /** `"fullName":`, as it stands in the stored text. */
  readonly member: string
  readonly isKey: boolean
  readonly needsValue: boolean
  /** Of a string that an index holds whole; nothing for others. */
  readonly longest: { readonly bytes: number; readonly reason: string } | undefined
  /** Where the value goes among the type's columns, by component ('' for a value without components). */
  readonly columns: ReadonlyMap<string, number>
}

const made = new WeakMap<ObjectType, readonly PropertyWriter[]>()

export function propertyWriters(type: ObjectType): readonly PropertyWriter[] {
  let writers = made.get(type)
  if (writers === undefined) {
    writers = Object.entries(type.definition.properties).map(([name, property]) =>
      propertyWriter(type, name, property),
    )
    made.set(type, writers)
  }
  return writers
}

function propertyWriter(type: ObjectType, name: string, property: PropertyDefinition): PropertyWriter {
  const isKey = name === type.key.property
  const isOrdered =
    property.sortable === true ||
    (type.definition.orders?.some((order) => order.some((key) => key.property === name)) ?? false)
  return {
    name,
    type: property.type,
    baseType: baseTypeName(property.type),
    member: `${JSON.stringify(name)}:`,
    isKey,
    needsValue: isKey || property.required === true,
    longest:
      property.type !== 'string'
        ? undefined
        : isKey
          ? { bytes: limits.value.primaryKeyBytes, reason: 'it is the primary key' }
          : isOrdered
            ? { bytes: limits.value.sortableStringBytes, reason: 'pages are ordered by it' }
            : undefined,
    columns: new Map(
      type.columns.flatMap((column, i) =>
        column.property === name ? [[column.component ?? '', i] as const] : [],
      ),
    ),
  }
}
