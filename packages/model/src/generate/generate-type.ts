// Random object types, with every way in which a property can be searched or ordered by.
import {
  primaryKeyTypes,
  scalarTypes,
  type DeclaredOrder,
  type ObjectTypeDefinition,
  type PropertyDefinition,
  type ScalarType,
} from '@octavo/protocol'
import { declaredOrders, type OrderKey } from '../contract/object-order.ts'
import type { Random } from './seeded-random.ts'

/** A searchable field of a type: a property, or a component of a struct. */
export interface SearchField {
  readonly property: string
  readonly component: string | undefined
  readonly scalar: ScalarType
  readonly many: boolean
  /** Whether its terms are indexed. */
  readonly terms: boolean
}

export interface GeneratedType {
  readonly definition: ObjectTypeDefinition
  readonly fields: readonly SearchField[]
  readonly orders: readonly (readonly OrderKey[])[]
}

export function generateType(random: Random, apiName: string): GeneratedType {
  const properties: Record<string, PropertyDefinition> = {
    id: { type: random.pick(primaryKeyTypes), searchable: random.chance(0.5) },
    // Distinguishes the states of an object; never searched.
    edition: { type: 'integer' },
    title: { type: 'string', searchable: true, sortable: random.chance(0.5) },
    text: { type: 'string', searchable: true },
    list: { type: { array: random.pick(scalarTypes) }, searchable: true },
    tags: { type: { array: 'string' }, searchable: true },
    place: {
      type: { struct: { name: { type: 'string' }, value: { type: random.pick(scalarTypes) } } },
      searchable: true,
    },
    people: {
      type: { array: { struct: { first: { type: 'string' }, rank: { type: random.pick(scalarTypes) } } } },
      searchable: true,
    },
    hidden: { type: 'string' },
  }
  for (let i = random.integer(2, 4); i > 0; i -= 1) {
    const searchable = random.chance(0.8)
    properties[`s${i}`] = {
      type: random.pick(scalarTypes),
      searchable,
      sortable: !searchable || random.chance(0.6),
      required: random.chance(0.2),
    }
  }
  const scalars = Object.keys(properties).filter((name) => /^s\d|^title$/.test(name))
  const orders = Array.from({ length: 2 }, () => anyOrder(random, scalars))
  const definition: ObjectTypeDefinition = {
    apiName,
    displayName: 'Generated',
    primaryKey: 'id',
    titleProperty: 'title',
    properties,
    orders,
  }
  return { definition, fields: searchFields(definition), orders: possibleOrders(definition) }
}

/** Two properties, or one property and the key. */
function anyOrder(random: Random, scalars: readonly string[]): DeclaredOrder {
  const direction = () => random.pick(['asc', 'desc'] as const)
  const start = random.integer(0, scalars.length - 2)
  const keys = scalars.slice(start, start + 2).map((field) => ({ field, direction: direction() }))
  const fields = random.chance(0.3) ? [...keys.slice(0, 1), { field: 'id', direction: direction() }] : keys
  return { fields }
}

function possibleOrders(definition: ObjectTypeDefinition): readonly (readonly OrderKey[])[] {
  const single = Object.entries(definition.properties)
    .filter(([name, { sortable }]) => sortable || name === 'id')
    .flatMap(([property]) => (['asc', 'desc'] as const).map((direction) => [{ property, direction }]))
  return [...single, ...declaredOrders(definition)]
}

function searchFields({ properties }: ObjectTypeDefinition): readonly SearchField[] {
  return Object.entries(properties).flatMap(([property, { type, searchable }]) => {
    if (searchable !== true && property !== 'id') return []
    const many = typeof type !== 'string' && 'array' in type
    const item = many ? type.array : type
    const field = (scalar: ScalarType, component?: string): SearchField => ({
      property,
      component,
      scalar,
      many,
      terms: scalar === 'string' && searchable === true,
    })
    return typeof item === 'string'
      ? [field(item)]
      : Object.entries(item.struct).map(([component, { type }]) => field(type, component))
  })
}
