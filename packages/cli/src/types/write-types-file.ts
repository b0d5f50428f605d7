// Generates the types of an ontology for `createClient<Ontology>()`, as text: what the compiler needs to know of each object
// type (ObjectTypeShape of @octavo/client).
import type { ObjectTypeDefinition, PropertyDefinition, PropertyType, ScalarType } from '@octavo/protocol'
import { commentOf, propertyKey, stringLiteral, unionOf } from './typescript-text.ts'

export function writeTypesFile(objectTypes: readonly ObjectTypeDefinition[]): string {
  const types = objectTypes.toSorted((a, b) => (a.apiName < b.apiName ? -1 : 1))
  const names = interfaceNames(types.map(({ apiName }) => apiName))
  const named = types.map((type, i) => ({ type, ...(names[i] ?? { ofObject: '', ofType: '' }) }))
  return [
    '// Written by `octavo types` from the catalog of a service. Run it again when a definition has changed.',
    '',
    '/** The object types, for `createClient<Ontology>()`. */',
    'export interface Ontology {',
    ...named.map(({ type, ofType }) => `  readonly ${propertyKey(type.apiName)}: ${ofType}`),
    '}',
    ...named.flatMap((each) => objectTypeLines(each, linksOf(each.type, named))),
    '',
  ].join('\n')
}

interface InterfaceNames {
  /** The properties of an object, such as `Flight`. */
  readonly ofObject: string
  /** What may be asked of the type, such as `FlightType`. */
  readonly ofType: string
}

/** Names that differ from each other, also where API names differ only in their dots, hyphens or case. */
function interfaceNames(apiNames: readonly string[]): readonly InterfaceNames[] {
  const taken = new Set(['Ontology'])
  return apiNames.map((apiName) => {
    const words = apiName.split(/[^A-Za-z0-9]+/).filter((word) => word !== '')
    const name = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('')
    for (let count = 1; ; count += 1) {
      const ofObject = count === 1 ? name : `${name}${count}`
      const ofType = `${ofObject}Type`
      if (taken.has(ofObject) || taken.has(ofType)) continue
      taken.add(ofObject).add(ofType)
      return { ofObject, ofType }
    }
  })
}

interface NamedType extends InterfaceNames {
  readonly type: ObjectTypeDefinition
}

/** The links of both directions, each with what it leads to. */
function linksOf({ apiName, links = {} }: ObjectTypeDefinition, all: readonly NamedType[]) {
  const nameOf = (to: string) => all.find(({ type }) => type.apiName === to)?.ofType
  const own = Object.entries(links).map(([name, { objectType }]) => ({ name, to: nameOf(objectType) }))
  const ofOthers = all.flatMap(({ type, ofType }) =>
    Object.values(type.links ?? {})
      .filter(({ objectType }) => objectType === apiName)
      .map(({ reverse }) => ({ name: reverse, to: ofType })),
  )
  return [...own, ...ofOthers].filter(({ to }) => to !== undefined)
}

const objectTypeLines = (
  { type, ofObject, ofType }: NamedType,
  links: readonly { readonly name: string; readonly to: string | undefined }[],
): readonly string[] => {
  const fields = Object.entries(type.properties).flatMap(([name, property]) => fieldsOf(type, name, property))
  const sortable = Object.keys(type.properties).filter(
    (name) => name === type.primaryKey || type.properties[name]?.sortable === true,
  )
  const orders = (type.orders ?? []).map(
    ({ fields }) =>
      `readonly [${fields.map(({ field, direction }) => `{ readonly field: ${stringLiteral(field)}; readonly direction: ${stringLiteral(direction)} }`).join(', ')}]`,
  )
  return [
    '',
    `/** ${commentOf(type.displayName)} */`,
    `export interface ${ofObject} {`,
    ...Object.entries(type.properties).map(
      ([name, property]) =>
        `  readonly ${propertyKey(name)}${isAlwaysThere(type, name) ? '' : '?'}: ${valueType(property.type)}`,
    ),
    '}',
    '',
    `export interface ${ofType} {`,
    `  readonly primaryKey: ${stringLiteral(type.primaryKey)}`,
    `  readonly properties: ${ofObject}`,
    '  readonly fields: {',
    ...fields.map(({ field, kind }) => `    readonly ${propertyKey(field)}: ${stringLiteral(kind)}`),
    '  }',
    `  readonly terms: ${unionOf(fields.filter(({ hasTerms }) => hasTerms).map(({ field }) => stringLiteral(field)))}`,
    `  readonly sortable: ${unionOf(sortable.map(stringLiteral))}`,
    `  readonly orders: ${unionOf(orders)}`,
    ...(links.length === 0
      ? []
      : [
          '  readonly links: {',
          ...links.map(({ name, to }) => `    readonly ${propertyKey(name)}: ${to}`),
          '  }',
        ]),
    '}',
  ]
}

interface Field {
  readonly field: string
  readonly kind: string
  readonly hasTerms: boolean
}

/** The fields that a query may name (P97, P98). */
function fieldsOf(type: ObjectTypeDefinition, name: string, property: PropertyDefinition): readonly Field[] {
  const searchable = property.searchable === true
  if (!searchable && name !== type.primaryKey) return []
  const isMany = typeof property.type === 'object' && 'array' in property.type
  const item =
    typeof property.type === 'object' && 'array' in property.type ? property.type.array : property.type
  const field = (field: string, scalar: ScalarType): Field => ({
    field,
    kind: isMany ? `${scalar}[]` : scalar,
    hasTerms: searchable && scalar === 'string',
  })
  if (typeof item === 'string') return [field(name, item)]
  const components = 'struct' in item ? Object.entries(item.struct) : []
  return components.map(([component, { type: scalar }]) => field(`${name}:${component}`, scalar))
}

const isAlwaysThere = ({ primaryKey, properties }: ObjectTypeDefinition, name: string): boolean =>
  name === primaryKey || properties[name]?.required === true

/** The TypeScript type of a value in an answer (P47 to P53). */
const scalarValues: Readonly<Record<ScalarType, string>> = {
  string: 'string',
  boolean: 'boolean',
  integer: 'number',
  long: 'string',
  double: 'number',
  decimal: 'string',
  date: 'string',
  timestamp: 'string',
}

function valueType(type: PropertyType): string {
  if (typeof type === 'string') return scalarValues[type]
  if ('array' in type) return `readonly ${valueType(type.array)}[]`
  const components = Object.entries(type.struct).map(
    ([name, component]) => `readonly ${propertyKey(name)}?: ${scalarValues[component.type]}`,
  )
  return `{ ${components.join('; ')} }`
}
