// The value of one property: a scalar, a struct of scalars, or an array of either.
import type { PropertyType, ScalarType, StructType } from '@octavo/protocol'
import { canonicalScalar } from '../../base/value/canonical-scalar.ts'
import { shortText } from './shortened-value.ts'

export type CanonicalProperty =
  { readonly json: string; readonly parts: readonly ValuePart[] } | { readonly problem: string }

/**
 * The values of one component of a struct, or of the property itself if it is not a struct: one value, or all values of an
 * array.
 */
export interface ValuePart {
  readonly component: string | undefined
  readonly values: readonly string[]
}

export function canonicalProperty(type: PropertyType, value: unknown): CanonicalProperty {
  if (typeof type === 'string') {
    const scalar = canonicalScalar(type, value)
    return 'problem' in scalar
      ? scalar
      : { json: scalar.json, parts: [{ component: undefined, values: [scalar.column] }] }
  }
  return 'struct' in type ? canonicalStruct(type.struct, value) : canonicalArray(type.array, value)
}

function canonicalStruct(types: StructType['struct'], value: unknown): CanonicalProperty {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return { problem: 'must be a JSON object' }
  }
  const given = value as Readonly<Record<string, unknown>>
  const unknown = Object.keys(given).find((name) => !Object.hasOwn(types, name))
  if (unknown !== undefined) {
    return { problem: `must not have the component ${JSON.stringify(shortText(unknown))}` }
  }
  const members: string[] = []
  const parts: ValuePart[] = []
  // In the order of canonical JSON, as the properties are.
  for (const name of Object.keys(types).toSorted()) {
    const component = types[name]
    if (component === undefined) continue
    const part = Object.hasOwn(given, name) ? given[name] : undefined
    if (part === undefined || part === null) continue
    const written = canonicalScalar(component.type, part)
    if ('problem' in written) return { problem: `component ${name} ${written.problem}` }
    members.push(`${JSON.stringify(name)}:${written.json}`)
    parts.push({ component: name, values: [written.column] })
  }
  return { json: `{${members.join(',')}}`, parts }
}

function canonicalScalars(item: ScalarType, elements: readonly unknown[]): CanonicalProperty {
  let texts = ''
  const values: string[] = []
  for (const [place, element] of elements.entries()) {
    const written = canonicalScalar(item, element)
    if ('problem' in written) return { problem: `element ${place} ${written.problem}` }
    texts += place === 0 ? written.json : `,${written.json}`
    values.push(written.column)
  }
  return { json: `[${texts}]`, parts: values.length === 0 ? [] : [{ component: undefined, values }] }
}

function canonicalArray(item: Exclude<PropertyType, { array: unknown }>, value: unknown): CanonicalProperty {
  if (!Array.isArray(value)) return { problem: 'must be a JSON array' }
  if (typeof item === 'string') return canonicalScalars(item, value)
  const texts: string[] = []
  const byComponent = new Map<string | undefined, string[]>()
  for (const [place, element] of value.entries()) {
    const written = canonicalProperty(item, element)
    if ('problem' in written) return { problem: `element ${place} ${written.problem}` }
    texts.push(written.json)
    for (const { component, values } of written.parts) {
      const gathered = byComponent.get(component)
      if (gathered === undefined) byComponent.set(component, [...values])
      else gathered.push(...values)
    }
  }
  return {
    json: `[${texts.join(',')}]`,
    parts: [...byComponent].map(([component, values]) => ({ component, values })),
  }
}
