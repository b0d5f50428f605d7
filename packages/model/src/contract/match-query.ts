// Whether an object matches a query, according to the specification (P85 to P96); an implementation apart from the service's.
import type { LinkedQuery, PropertyType, Query, ScalarType } from '@octavo/protocol'
import { compareValues } from './compare-values.ts'
import type { ModelType, Properties } from './model-type.ts'

interface Held {
  readonly scalar: ScalarType
  /** At most one value for a single-valued property, any number for a many-valued one. */
  readonly values: readonly unknown[]
}

/** Whether the object is linked to one that the query means. */
export type IsLinked = (query: LinkedQuery, object: Properties) => boolean

export function matchesQuery(
  definition: ModelType,
  query: Query,
  object: Properties,
  isLinked: IsLinked = () => {
    throw new Error('no links are known')
  },
): boolean {
  const held = (field: string) => heldIn(definition, field, object)
  const compares = (field: string, value: unknown, fits: (sign: number) => boolean) => {
    const { scalar, values } = held(field)
    return values.some((one) => fits(compareValues(scalar, one, value)))
  }
  switch (query.type) {
    case 'empty':
      return true
    case 'eq':
    case 'contains':
      return compares(query.field, query.value, (sign) => sign === 0)
    case 'lt':
      return compares(query.field, query.value, (sign) => sign < 0)
    case 'lte':
      return compares(query.field, query.value, (sign) => sign <= 0)
    case 'gt':
      return compares(query.field, query.value, (sign) => sign > 0)
    case 'gte':
      return compares(query.field, query.value, (sign) => sign >= 0)
    case 'in':
      return query.value.some((value) => compares(query.field, value, (sign) => sign === 0))
    case 'isNull':
      return (held(query.field).values.length === 0) === query.value
    case 'anyTerm': {
      const has = new Set(termsOf(held(query.field).values).flat())
      return splitTerms(query.value).some((term) => has.has(term))
    }
    case 'allTerms': {
      const has = new Set(termsOf(held(query.field).values).flat())
      const wanted = splitTerms(query.value)
      return wanted.length > 0 && wanted.every((term) => has.has(term))
    }
    case 'phrase':
    case 'prefix': {
      const wanted = splitTerms(query.value)
      const isPrefix = query.type === 'prefix'
      return (
        wanted.length > 0 &&
        termsOf(held(query.field).values).some((terms) => holdsRun(terms, wanted, isPrefix))
      )
    }
    case 'keyword': {
      const has = new Set(termsOf(searchableStrings(definition, object)).flat())
      const wanted = splitTerms(query.query)
      return wanted.length > 0 && wanted.every((term) => has.has(term))
    }
    case 'and':
      return query.value.every((part) => matchesQuery(definition, part, object, isLinked))
    case 'or':
      return query.value.some((part) => matchesQuery(definition, part, object, isLinked))
    case 'not':
      return !matchesQuery(definition, query.value, object, isLinked)
    case 'linked':
      return isLinked(query, object)
    default:
      return query satisfies never
  }
}

const separators = new Set('?!,:;-[](){}\'"~')

/** Splits character by character, without the regular expression that the service uses. */
function splitTerms(text: string): readonly string[] {
  const terms: string[] = []
  let term = ''
  for (const character of `${text.toLowerCase()} `) {
    if (character.trim() !== '' && !separators.has(character)) term += character
    else {
      if (term !== '') terms.push(term)
      term = ''
    }
  }
  return terms
}

const termsOf = (values: readonly unknown[]) => values.map((value) => splitTerms(String(value)))

function holdsRun(terms: readonly string[], wanted: readonly string[], lastIsPrefix: boolean): boolean {
  return terms.some((_term, start) =>
    wanted.every((want, i) => {
      const has = terms[start + i]
      return lastIsPrefix && i === wanted.length - 1 ? has?.startsWith(want) : has === want
    }),
  )
}

function heldIn({ properties }: ModelType, field: string, object: Properties): Held {
  const [name = '', component] = field.split(':')
  const property = Object.hasOwn(properties, name) ? name : name.replace(/^properties\./, '')
  const type = properties[property]?.type
  if (type === undefined) throw new Error(`${field} is no field`)
  const item: Exclude<PropertyType, { array: unknown }> =
    typeof type === 'object' && 'array' in type ? type.array : type
  const all = [object[property] ?? []].flat()
  if (typeof item === 'string') return { scalar: item, values: all }
  const scalar = item.struct[component ?? '']?.type
  if (scalar === undefined) throw new Error(`${field} is no component`)
  return {
    scalar,
    values: (all as unknown as readonly Properties[]).flatMap((struct) => struct[component ?? ''] ?? []),
  }
}

function searchableStrings(definition: ModelType, object: Properties): readonly unknown[] {
  return Object.entries(definition.properties)
    .filter(([, { searchable }]) => searchable === true)
    .flatMap(([name, { type }]) => {
      const item = typeof type === 'object' && 'array' in type ? type.array : type
      const fields =
        typeof item === 'string'
          ? [name]
          : Object.keys(item.struct).map((component) => `${name}:${component}`)
      return fields
        .map((field) => heldIn(definition, field, object))
        .flatMap(({ scalar, values }) => (scalar === 'string' ? values : []))
    })
}
