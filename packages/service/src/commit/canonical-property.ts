// The value of one property: a scalar, a struct of scalars, or an array of either.
import type { PropertyType, ScalarType } from '@octavo/protocol'
import { canonicalScalar } from './canonical-scalar.ts'

export type CanonicalProperty =
  | {
      readonly json: string
      /** For the column of a value without components. */
      readonly column: string | null
      /** For the columns of a struct's components. */
      readonly components?: ReadonlyMap<string, string | null>
    }
  | { readonly problem: string }

export function canonicalProperty(type: PropertyType, value: unknown): CanonicalProperty {
  if (typeof type === 'string') return canonicalScalar(type, value)
  return 'struct' in type ? canonicalStruct(type.struct, value) : canonicalArray(type.array, value)
}

function canonicalStruct(types: Readonly<Record<string, ScalarType>>, value: unknown): CanonicalProperty {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return { problem: 'must be a JSON object' }
  }
  const given = value as Readonly<Record<string, unknown>>
  const unknown = Object.keys(given).find((name) => !Object.hasOwn(types, name))
  if (unknown !== undefined) return { problem: `must not have the component ${JSON.stringify(unknown)}` }
  const members: string[] = []
  const components = new Map<string, string | null>()
  for (const [name, scalar] of Object.entries(types)) {
    const part = Object.hasOwn(given, name) ? given[name] : undefined
    if (part === undefined || part === null) {
      components.set(name, null)
      continue
    }
    const written = canonicalScalar(scalar, part)
    if ('problem' in written) return { problem: `component ${name} ${written.problem}` }
    members.push(`${JSON.stringify(name)}:${written.json}`)
    components.set(name, written.column)
  }
  return { json: `{${members.join(',')}}`, column: null, components }
}

function canonicalArray(item: Exclude<PropertyType, { array: unknown }>, value: unknown): CanonicalProperty {
  if (!Array.isArray(value)) return { problem: 'must be a JSON array' }
  const texts: string[] = []
  const values: (string | null)[] = []
  const byComponent = new Map<string, (string | null)[]>()
  for (const [place, element] of value.entries()) {
    const written = canonicalProperty(item, element)
    if ('problem' in written) return { problem: `element ${place} ${written.problem}` }
    texts.push(written.json)
    values.push(written.column)
    for (const [component, column] of written.components ?? []) {
      const sameComponent = byComponent.get(component)
      if (sameComponent === undefined) byComponent.set(component, [column])
      else sameComponent.push(column)
    }
  }
  return {
    json: `[${texts.join(',')}]`,
    column: typeof item === 'string' ? arrayText(values) : null,
    components: new Map([...byComponent].map(([name, column]) => [name, arrayText(column)])),
  }
}

/**
 * The text of a PostgreSQL array. A struct without the component holds no value, so it is left out; an array without
 * any value is null, as it is when the column is filled from older objects.
 */
function arrayText(values: readonly (string | null)[]): string | null {
  const held = values.filter((value) => value !== null)
  if (held.length === 0) return null
  return `{${held.map((value) => `"${value.replaceAll(/["\\]/g, String.raw`\$&`)}"`).join(',')}}`
}
