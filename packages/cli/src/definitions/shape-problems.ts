// Every mismatch of a value with its schema, in words. Of a union a validator only reports that no variant fits;
// this reports the problems of the variant that the value was meant to be.
import { apiNamePattern } from '@octavo/protocol/vocabulary'

export interface ShapeProblem {
  /** The property names and indexes that lead to the value. */
  readonly path: readonly (string | number)[]
  readonly problem: string
}

type JsonObject = Readonly<Record<string, unknown>>

interface CheckedValue {
  readonly value: unknown
  readonly path: readonly (string | number)[]
  readonly definitions: JsonObject
}

/** Checks only the keywords that our schemas use. */
export const shapeProblems = (schema: unknown, value: unknown): readonly ShapeProblem[] =>
  problemsOf(schema, { value, path: [], definitions: {} })

function problemsOf(schema: unknown, at: CheckedValue): readonly ShapeProblem[] {
  if (!isObject(schema)) return []
  const definitions = isObject(schema['$defs']) ? { ...at.definitions, ...schema['$defs'] } : at.definitions
  const here = { ...at, definitions }
  if (typeof schema['$ref'] === 'string') return problemsOf(definitions[schema['$ref']], here)
  if (Array.isArray(schema['anyOf'])) return variantProblems(schema['anyOf'], here)
  if (Array.isArray(schema['enum'])) {
    return schema['enum'].includes(at.value) ? [] : [must(`be one of ${schema['enum'].join(', ')}`, at)]
  }
  if (Object.hasOwn(schema, 'const')) {
    return schema['const'] === at.value ? [] : [must(`be ${JSON.stringify(schema['const'])}`, at)]
  }
  switch (schema['type']) {
    case 'object':
      return isObject(at.value)
        ? objectProblems(schema, at.value, here)
        : [must(`be ${wordsOf(schema, here)}`, at)]
    case 'array':
      return Array.isArray(at.value) ? listProblems(schema, at.value, here) : [must('be a list', at)]
    case 'string':
      return typeof at.value === 'string' ? textProblems(schema, at.value, at) : [must('be a string', at)]
    case 'boolean':
      return typeof at.value === 'boolean' ? [] : [must('be true or false', at)]
    case 'number':
      return typeof at.value === 'number' ? [] : [must('be a number', at)]
    default:
      return []
  }
}

function objectProblems(schema: JsonObject, value: JsonObject, at: CheckedValue): readonly ShapeProblem[] {
  const fields = isObject(schema['properties']) ? schema['properties'] : {}
  const required: readonly unknown[] = Array.isArray(schema['required']) ? schema['required'] : []
  const patterns = isObject(schema['patternProperties']) ? Object.entries(schema['patternProperties']) : []
  const missing = required
    .map(String)
    .filter((field) => !Object.hasOwn(value, field))
    .map((field) => ({ path: at.path, problem: `${field} is missing` }))
  const inside = Object.entries(value).flatMap(([name, inner]) => {
    const there = { ...at, value: inner, path: [...at.path, name] }
    if (Object.hasOwn(fields, name)) return problemsOf(fields[name], there)
    const fitting = patterns.find(([pattern]) => new RegExp(pattern, 'u').test(name))
    if (fitting !== undefined) return problemsOf(fitting[1], there)
    if (schema['additionalProperties'] !== false) return []
    return [{ path: there.path, problem: unknownName(name, Object.keys(fields)) }]
  })
  return [...missing, ...sizeProblems(schema, Object.keys(value).length, 'Properties', at), ...inside]
}

function unknownName(name: string, fields: readonly string[]) {
  if (fields.length > 0) return `${name} is not a field here; the fields are ${fields.join(', ')}`
  return `the name ${name} must have ${nameRule}`
}

const nameRule = 'at most 255 letters, digits, _, - and dots, the first of them a letter'

function listProblems(
  schema: JsonObject,
  value: readonly unknown[],
  at: CheckedValue,
): readonly ShapeProblem[] {
  const repeated =
    schema['uniqueItems'] === true && new Set(value.map((item) => JSON.stringify(item))).size < value.length
  return [
    ...(repeated ? [must('not repeat an entry', at)] : []),
    ...sizeProblems(schema, value.length, 'Items', at),
    ...value.flatMap((item, i) => problemsOf(schema['items'], { ...at, value: item, path: [...at.path, i] })),
  ]
}

function textProblems(schema: JsonObject, value: string, at: CheckedValue): readonly ShapeProblem[] {
  const { pattern } = schema
  const misshapen = typeof pattern === 'string' && !new RegExp(pattern, 'u').test(value)
  return [
    ...sizeProblems(schema, value.length, 'Length', at),
    ...(misshapen ? [{ path: at.path, problem: `${shown(value)} must ${wordsOfPattern(pattern)}` }] : []),
  ]
}

const counted = { Properties: 'entries', Items: 'entries', Length: 'characters' } as const

function sizeProblems(schema: JsonObject, size: number, what: keyof typeof counted, at: CheckedValue) {
  const [least, most] = [schema[`min${what}`], schema[`max${what}`]]
  if (typeof least === 'number' && size < least) return [must(`have at least ${least} ${counted[what]}`, at)]
  if (typeof most === 'number' && size > most) return [must(`have at most ${most} ${counted[what]}`, at)]
  return []
}

/**
 * The problems of the variant with the value's `type`, or else of the one for this kind of value. If none or several match,
 * one problem that lists the variants.
 */
function variantProblems(variants: readonly unknown[], at: CheckedValue): readonly ShapeProblem[] {
  const tried = variants.map((schema) => ({ schema, problems: problemsOf(schema, at) }))
  if (tried.some(({ problems }) => problems.length === 0)) return []
  const meant = tried.filter(({ schema }) => isMeant(schema, at))
  const [only] = meant
  if (meant.length === 1 && only !== undefined) return only.problems
  const types = variants.flatMap((variant) => typeConstantOf(variant, at) ?? [])
  if (types.length === variants.length) {
    return isObject(at.value)
      ? [{ path: [...at.path, 'type'], problem: `must be one of ${types.join(', ')}` }]
      : [must(`be a mapping with a type, which is one of ${types.join(', ')}`, at)]
  }
  const words = new Set(variants.map((variant) => wordsOf(variant, at)))
  return [must(`be ${[...words].join(', or ')}`, at)]
}

function isMeant(variant: unknown, at: CheckedValue): boolean {
  const schema = resolved(variant, at)
  const type = typeConstantOf(schema, at)
  if (type !== undefined) return isObject(at.value) && at.value['type'] === type
  if (schema['type'] === 'object' && isObject(at.value)) {
    const fields = isObject(schema['properties']) ? Object.keys(schema['properties']) : []
    return fields.some((field) => isObject(at.value) && Object.hasOwn(at.value, field))
  }
  if (schema['type'] === 'array') return Array.isArray(at.value)
  return Array.isArray(schema['enum']) && typeof at.value === 'string'
}

function resolved(schema: unknown, { definitions }: CheckedValue): JsonObject {
  const found = isObject(schema) && typeof schema['$ref'] === 'string' ? definitions[schema['$ref']] : schema
  return isObject(found) ? found : {}
}

function typeConstantOf(variant: unknown, at: CheckedValue): string | undefined {
  const { properties } = resolved(variant, at)
  const type = isObject(properties) ? properties['type'] : undefined
  return isObject(type) && typeof type['const'] === 'string' ? type['const'] : undefined
}

function wordsOf(variant: unknown, at: CheckedValue): string {
  const schema = resolved(variant, at)
  if (Array.isArray(schema['enum'])) return `one of ${schema['enum'].join(', ')}`
  if (isObject(schema['properties'])) {
    // $schema is for editors.
    const fields = Object.keys(schema['properties']).filter((name) => !name.startsWith('$'))
    return `a mapping with ${fields.join(', ')}`
  }
  const names: Readonly<Record<string, string>> = {
    array: 'a list',
    object: 'a mapping',
    string: 'a string',
    boolean: 'true or false',
  }
  const type = typeof schema['type'] === 'string' ? schema['type'] : 'value of another kind'
  return names[type] ?? `a ${type}`
}

const wordsOfPattern = (pattern: string): string =>
  pattern === apiNamePattern ? `have ${nameRule}` : `have the form ${pattern}`

const mostShown = 60

function shown(value: unknown): string {
  const text = JSON.stringify(value)
  return text.length > mostShown ? `${text.slice(0, mostShown)}…` : text
}

const must = (what: string, { value, path }: CheckedValue): ShapeProblem => ({
  path,
  problem: `must ${what}${Array.isArray(value) || isObject(value) ? '' : `, not ${shown(value)}`}`,
})

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
