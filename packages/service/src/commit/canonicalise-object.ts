// One object from outside, checked against its type and made ready to be stored.
import { baseTypeName, limits, type PropertyType, type ScalarType } from '@octavo/protocol'
import type { ObjectType } from '../catalog/object-type.ts'
import { canonicalScalar } from './canonical-scalar.ts'

/** What one row of the current table is made of; columns stand in the order of the type's columns. */
export interface CanonicalObject {
  readonly key: string
  readonly scalars: string
  readonly others: string | null
  readonly columns: readonly (string | null)[]
}

export interface Problem {
  readonly property: string
  readonly type: string
  readonly value: unknown
  readonly rule: string
}

export type Canonicalised =
  | { readonly object: CanonicalObject }
  | { readonly problems: readonly Problem[] }

export function canonicaliseObject(
  type: ObjectType,
  properties: Readonly<Record<string, unknown>>,
): Canonicalised {
  const problems: Problem[] = []
  const scalars: string[] = []
  const others: string[] = []
  const columnValues = new Map<string, string | null>()
  let key = ''

  for (const name of Object.keys(properties)) {
    if (!Object.hasOwn(type.definition.properties, name)) {
      problems.push({ property: name, type: 'none', value: properties[name], rule: 'is not a property of the type' })
    }
  }

  for (const [name, property] of Object.entries(type.definition.properties)) {
    const value = Object.hasOwn(properties, name) ? properties[name] : undefined
    const refuse = (rule: string, part = value) =>
      problems.push({ property: name, type: baseTypeName(property.type), value: part, rule })
    const isKey = name === type.key.property
    if (value === undefined || value === null) {
      if (property.required || isKey) refuse('must have a value')
      continue
    }
    const written = canonicalProperty(property.type, value)
    if ('problem' in written) {
      refuse(written.problem)
      continue
    }
    const longest = isKey
      ? limits.value.primaryKeyBytes
      : property.sortable || isOrdered(type, name)
        ? limits.value.sortableStringBytes
        : Number.POSITIVE_INFINITY
    const text = written.columns.get('')
    if (property.type === 'string' && typeof text === 'string' && Buffer.byteLength(text) > longest) {
      refuse(`must be at most ${longest} bytes of UTF-8, because ${isKey ? 'it is the primary key' : 'pages are ordered by it'}`)
      continue
    }
    if (isKey) key = text ?? ''
    if (isKey && key === '') refuse('must not be empty, because it is the primary key')
    ;(typeof property.type === 'string' ? scalars : others).push(`${JSON.stringify(name)}:${written.json}`)
    for (const [component, column] of written.columns) columnValues.set(`${name}:${component}`, column)
  }

  if (problems.length > 0) return { problems }
  return {
    object: {
      key,
      scalars: scalars.join(','),
      others: others.length === 0 ? null : others.join(','),
      columns: type.columns.map(
        (column) => columnValues.get(`${column.property}:${column.component ?? ''}`) ?? null,
      ),
    },
  }
}

const isOrdered = (type: ObjectType, property: string): boolean =>
  type.definition.orders?.some((order) => order.some((key) => key.property === property)) ?? false

type Written =
  | { readonly json: string; /** By component; '' for a value that has none. */ readonly columns: ReadonlyMap<string, string | null> }
  | { readonly problem: string }

function canonicalProperty(type: PropertyType, value: unknown): Written {
  if (typeof type === 'string') {
    const scalar = canonicalScalar(type, value)
    return 'problem' in scalar ? scalar : { json: scalar.json, columns: new Map([['', scalar.column]]) }
  }
  if ('struct' in type) return canonicalStruct(type.struct, value)
  return canonicalArray(type.array, value)
}

function canonicalStruct(components: Readonly<Record<string, ScalarType>>, value: unknown): Written {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return { problem: 'must be a JSON object' }
  const given = value as Readonly<Record<string, unknown>>
  const unknown = Object.keys(given).find((name) => !Object.hasOwn(components, name))
  if (unknown !== undefined) return { problem: `must not have the component ${JSON.stringify(unknown)}` }
  const members: string[] = []
  const columns = new Map<string, string | null>()
  for (const [name, scalar] of Object.entries(components)) {
    const part = given[name]
    if (part === undefined || part === null) {
      columns.set(name, null)
      continue
    }
    const written = canonicalScalar(scalar, part)
    if ('problem' in written) return { problem: `component ${name} ${written.problem}` }
    members.push(`${JSON.stringify(name)}:${written.json}`)
    columns.set(name, written.column)
  }
  return { json: `{${members.join(',')}}`, columns }
}

function canonicalArray(item: Exclude<PropertyType, { array: unknown }>, value: unknown): Written {
  if (!Array.isArray(value)) return { problem: 'must be a JSON array' }
  const texts: string[] = []
  const columns = new Map<string, (string | null)[]>()
  for (const [place, element] of value.entries()) {
    const written = canonicalProperty(item, element)
    if ('problem' in written) return { problem: `element ${place} ${written.problem}` }
    texts.push(written.json)
    for (const [component, column] of written.columns) {
      const values = columns.get(component) ?? []
      values.push(column)
      columns.set(component, values)
    }
  }
  return {
    json: `[${texts.join(',')}]`,
    columns: new Map([...columns].map(([component, values]) => [component, arrayText(values)])),
  }
}

/** The text of a PostgreSQL array. Nulls (a struct without this component) hold no value, so they are left out. */
const arrayText = (values: readonly (string | null)[]): string =>
  `{${values
    .filter((value) => value !== null)
    .map((value) => `"${value.replaceAll(/["\\]/g, String.raw`\$&`)}"`)
    .join(',')}}`
