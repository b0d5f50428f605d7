// Definitions of object types in a few words, for tests in which most of a definition does not matter.
import type { DeclaredOrder, ObjectTypeDefinition, PropertyDefinition, ScalarType } from '@octavo/protocol'

type Trait = 'required' | 'searchable' | 'sortable' | 'counted'
type TypeName = ScalarType | `${ScalarType}[]`
type TraitsInWords = '' | ` ${Trait}` | ` ${Trait} ${Trait}` | ` ${Trait} ${Trait} ${Trait}`

/** In words, as `string`, `string[] searchable`, `integer searchable sortable`, or whole. */
type Property = `${TypeName}${TraitsInWords}` | PropertyDefinition

/** The first property is the primary key and the title, unless `more` names others. */
export function defineType(
  apiName: string,
  properties: Readonly<Record<string, Property>>,
  more: Partial<ObjectTypeDefinition> = {},
): ObjectTypeDefinition {
  const [first = ''] = Object.keys(properties)
  return {
    apiName,
    displayName: apiName,
    primaryKey: first,
    titleProperty: first,
    properties: Object.fromEntries(
      Object.entries(properties).map(([name, property]) => [
        name,
        typeof property === 'string' ? fromWords(property) : property,
      ]),
    ),
    ...more,
  }
}

function fromWords(words: string): PropertyDefinition {
  const [type = '', ...traits] = words.split(' ')
  const scalar = type.replace('[]', '') as ScalarType
  return { type: type.endsWith('[]') ? { array: scalar } : scalar, ...traitsOf(traits) }
}

type Components = Readonly<Record<string, ScalarType>>

/** A property that is a struct, for example `struct({ city: 'string' }, 'searchable')`. */
export const struct = (components: Components, ...traits: readonly Trait[]): PropertyDefinition => ({
  type: structType(components),
  ...traitsOf(traits),
})

/** A property that is an array of structs. */
export const structs = (components: Components, ...traits: readonly Trait[]): PropertyDefinition => ({
  type: { array: structType(components) },
  ...traitsOf(traits),
})

const structType = (components: Components) => ({
  struct: Object.fromEntries(Object.entries(components).map(([name, type]) => [name, { type }])),
})

const traitsOf = (traits: readonly string[]) => Object.fromEntries(traits.map((trait) => [trait, true]))

/** A declared order, for example `inOrder('age desc', 'name asc')`. */
export const inOrder = (...keys: readonly `${string} ${'asc' | 'desc'}`[]): DeclaredOrder => ({
  fields: keys.map((key) => {
    const [field = '', direction] = key.split(' ')
    return { field, direction: direction === 'desc' ? 'desc' : 'asc' }
  }),
})
