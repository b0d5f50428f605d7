// Says in words where a body first departs from its schema. The validator knows only that it does; for a union it knows only
// that no variant fits. Here the variant is the one that the value's `type` names.
import { plainTextPattern, suggestion } from '@octavo/protocol'
import { isJsonObject, pointerStep, type JsonObject } from '../../base/value/json-object.ts'

export interface ShapeProblem {
  /** A JSON pointer (RFC 6901); empty for the body as a whole. */
  readonly path: string
  readonly problem: string
}

/** Undefined when the value fits the schema, as far as the keywords that our schemas use can tell. */
export const explainShape = (schema: unknown, value: unknown): ShapeProblem | undefined =>
  explain({ schema, value, path: '', definitions: {} })

interface Place {
  readonly schema: unknown
  readonly value: unknown
  readonly path: string
  readonly definitions: JsonObject
}

function explain({ schema, value, path, definitions }: Place): ShapeProblem | undefined {
  if (!isJsonObject(schema)) return undefined
  const known = isJsonObject(schema['$defs']) ? { ...definitions, ...schema['$defs'] } : definitions
  const at = { value, path, definitions: known }
  if (typeof schema['$ref'] === 'string') return explain({ schema: known[schema['$ref']], ...at })
  if (Array.isArray(schema['anyOf'])) return explainVariants(schema['anyOf'], at)
  if (Array.isArray(schema['enum']) && !schema['enum'].includes(value)) {
    return { path, problem: `it must be one of ${schema['enum'].join(', ')}` }
  }
  switch (schema['type']) {
    case 'object':
      return explainObject(schema, at)
    case 'array':
      return Array.isArray(value) ? explainList(schema, { ...at, value }) : mustBe('a list', at)
    case 'string':
      return typeof value === 'string' ? explainText(schema, value, path) : mustBe('a string', at)
    case 'boolean':
      return typeof value === 'boolean' ? undefined : mustBe('true or false', at)
    case 'integer':
      return Number.isInteger(value)
        ? explainRange(schema, Number(value), path)
        : mustBe('a whole number', at)
    case 'number':
      return typeof value === 'number' ? undefined : mustBe('a number', at)
    default:
      return undefined
  }
}

function explainObject(schema: JsonObject, { value, path, definitions }: Omit<Place, 'schema'>) {
  if (!isJsonObject(value)) return mustBe('an object', { value, path })
  const properties = isJsonObject(schema['properties']) ? schema['properties'] : {}
  const fields = Object.keys(properties)
  const required: readonly unknown[] = Array.isArray(schema['required']) ? schema['required'] : []
  const missing = required.map(String).find((field) => !isGiven(value, field))
  if (missing !== undefined) return { path, problem: `it lacks the field "${missing}"` }
  const patterns = isJsonObject(schema['patternProperties'])
    ? Object.entries(schema['patternProperties'])
    : []
  const patternOf = (field: string) => patterns.find(([pattern]) => new RegExp(pattern, 'u').test(field))
  const others = Object.keys(value).filter((field) => !Object.hasOwn(properties, field))
  const unknown = others.find((field) => patternOf(field) === undefined)
  if (unknown !== undefined && schema['additionalProperties'] === false) {
    const known =
      patterns.length > 0
        ? 'a name that is allowed here: at most 255 letters, digits, _, - and dots, the first of them a letter'
        : `one of its fields${suggestion(unknown, fields)}, which are ${fields.join(', ')}`
    return { path, problem: `"${shortened(unknown)}" is not ${known}` }
  }
  const problemOfOther = firstOf(others, (field) =>
    explain({
      schema: patternOf(field)?.[1],
      value: value[field],
      path: `${path}${pointerStep(field)}`,
      definitions,
    }),
  )
  if (problemOfOther !== undefined) return problemOfOther
  return firstOf(
    fields.filter((field) => isGiven(value, field)),
    (field) =>
      explain({
        schema: properties[field],
        value: value[field],
        path: `${path}${pointerStep(field)}`,
        definitions,
      }),
  )
}

/** A field that was read before the shape is checked may be there and undefined, which JSON cannot say. */
const isGiven = (object: JsonObject, field: string): boolean =>
  Object.hasOwn(object, field) && object[field] !== undefined

function explainList(
  schema: JsonObject,
  { value, path, definitions }: Omit<Place, 'schema' | 'value'> & { readonly value: readonly unknown[] },
): ShapeProblem | undefined {
  const { minItems, maxItems, items } = schema
  if (typeof minItems === 'number' && value.length < minItems) {
    return { path, problem: `it must have at least ${minItems} ${minItems === 1 ? 'item' : 'items'}` }
  }
  if (typeof maxItems === 'number' && value.length > maxItems) {
    return { path, problem: `it must have at most ${maxItems} items, not ${value.length}` }
  }
  return firstOf(value, (item, i) =>
    explain({ schema: items, value: item, path: `${path}/${i}`, definitions }),
  )
}

function explainRange(
  { minimum, maximum }: JsonObject,
  value: number,
  path: string,
): ShapeProblem | undefined {
  if (typeof minimum === 'number' && value < minimum)
    return { path, problem: `it must be at least ${minimum}` }
  if (typeof maximum === 'number' && value > maximum)
    return { path, problem: `it must be at most ${maximum}` }
  return undefined
}

function explainText(schema: JsonObject, value: string, path: string): ShapeProblem | undefined {
  const { minLength, maxLength, pattern } = schema
  if (typeof maxLength === 'number' && value.length > maxLength) {
    return { path, problem: `it must have at most ${maxLength} characters` }
  }
  if (typeof minLength === 'number' && value.length < minLength) {
    return { path, problem: `it must have at least ${minLength} characters` }
  }
  if (typeof pattern === 'string' && !new RegExp(pattern, 'u').test(value)) {
    if (pattern === plainTextPattern) {
      return { path, problem: 'it must not contain the character U+0000 or half of a surrogate pair' }
    }
    return { path, problem: `"${shortened(value)}" does not have the form ${pattern}` }
  }
  return undefined
}

function explainVariants(anyOf: readonly unknown[], at: Omit<Place, 'schema'>): ShapeProblem | undefined {
  const variants = anyOf.filter((variant) => !isNull(variant))
  if (variants.length < anyOf.length && at.value === null) return undefined
  // A nullable field: the problem is that of its non-null variant.
  if (variants.length === 1) return explain({ schema: variants[0], ...at })
  const byType = new Map(variants.map((variant) => [typeOf(variant), variant]))
  if (byType.has(undefined)) {
    const fits = variants.some((schema) => explain({ schema, ...at }) === undefined)
    const given = typeof at.value === 'string' ? `"${shortened(at.value)}"` : kindOf(at.value)
    return fits
      ? undefined
      : { path: at.path, problem: `it must be ${variants.map(words).join(' or ')}, not ${given}` }
  }
  const { value, path } = at
  if (!isJsonObject(value)) return mustBe('an object with the field "type"', at)
  const types = [...byType.keys()].join(', ')
  const { type } = value
  if (type === undefined) return { path, problem: `it lacks the field "type", which is one of ${types}` }
  if (typeof type === 'string' && byType.has(type)) return explain({ ...at, schema: byType.get(type) })
  const name = typeof type === 'string' ? `"${shortened(type)}"` : kindOf(type)
  const near = typeof type === 'string' ? suggestion(type, [...byType.keys()].map(String)) : ''
  return { path: `${path}/type`, problem: `${name} is not one of the types${near}, which are ${types}` }
}

const isNull = (variant: unknown): boolean => isJsonObject(variant) && variant['type'] === 'null'

function typeOf(variant: unknown): unknown {
  const type =
    isJsonObject(variant) && isJsonObject(variant['properties']) ? variant['properties']['type'] : undefined
  return isJsonObject(type) ? type['const'] : undefined
}

const mustBe = (
  wanted: string,
  { value, path }: { readonly value: unknown; readonly path: string },
): ShapeProblem => ({
  path,
  problem: `it must be ${wanted}, not ${kindOf(value)}`,
})

function words(schema: unknown): string {
  if (!isJsonObject(schema)) return 'another value'
  if (Array.isArray(schema['enum'])) return `one of ${schema['enum'].join(', ')}`
  if (isJsonObject(schema['properties'])) {
    const fields = Object.keys(schema['properties']).map((field) => `"${field}"`)
    return `an object with ${fields.join(', ')}`
  }
  return typeof schema['type'] === 'string' ? `a ${schema['type']}` : 'another value'
}

function kindOf(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'a list'
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`
}

function firstOf<Item>(
  items: readonly Item[],
  explainItem: (item: Item, index: number) => ShapeProblem | undefined,
): ShapeProblem | undefined {
  for (const [index, item] of items.entries()) {
    const problem = explainItem(item, index)
    if (problem !== undefined) return problem
  }
  return undefined
}

/** Repeats what the caller wrote, but only its beginning. */
const shortened = (text: string): string => (text.length > 100 ? `${text.slice(0, 100)}...` : text)
