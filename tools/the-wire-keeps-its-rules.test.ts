// The names and forms of all that is Octavo's own on the wire. Revision v2 is as its clients want it.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { operationsOf, type OpenApi, type Schema } from './wire/operations.ts'

const read = (path: string): string => readFileSync(join(import.meta.dirname, '..', path), 'utf8')
const document = JSON.parse(read('docs/reference/openapi.json')) as OpenApi
const ours = operationsOf(document).filter(
  ({ path }) => /^\/(api|manage)\//.test(path) && !path.startsWith('/api/v2'),
)

interface Field {
  readonly at: string
  readonly name: string
  readonly schema: Schema
  readonly isOptional: boolean
}

const typesOf = (schema: Schema): readonly string[] =>
  schema.anyOf?.flatMap(typesOf) ?? [schema.items === undefined ? (schema.type ?? 'any') : 'array']

/** Every field of a schema, at any depth; a component is followed once. */
function fieldsIn(schema: Schema, at: string, seen: ReadonlySet<string> = new Set()): readonly Field[] {
  const { $ref, anyOf = [], items, properties = {}, patternProperties = {}, additionalProperties } = schema
  const required = new Set(schema.required)
  if ($ref !== undefined) {
    const name = $ref.slice($ref.lastIndexOf('/') + 1)
    const whole = document.components.schemas[name]
    return seen.has(name) || whole === undefined ? [] : fieldsIn(whole, at, new Set([...seen, name]))
  }
  return [
    ...anyOf.flatMap((each) => fieldsIn(each, at, seen)),
    ...(items === undefined ? [] : fieldsIn(items, at, seen)),
    ...Object.values(patternProperties).flatMap((each) => fieldsIn(each, at, seen)),
    ...(typeof additionalProperties === 'object' ? fieldsIn(additionalProperties, at, seen) : []),
    ...Object.entries(properties).flatMap(([name, each]) => [
      { at, name, schema: each, isOptional: !required.has(name) },
      ...fieldsIn(each, `${at}.${name}`, seen),
    ]),
  ]
}

const requested = ours.flatMap(({ method, path, query, body }) => {
  const at = `${method} ${path}`
  return [
    ...query.map(({ name, schema }) => ({ at, name, schema, isOptional: true })),
    ...(body === undefined ? [] : fieldsIn(body, at)),
  ]
})
const answered = ours.flatMap(({ method, path, answers }) =>
  answers.flatMap(([, answer]) => (answer === undefined ? [] : fieldsIn(answer, `${method} ${path}`))),
)
const fields = [...requested, ...answered]
const named = (found: readonly Field[]): readonly string[] => [
  ...new Set(found.map(({ at, name }) => `${at}: ${name}`)),
]
const integers = fields.filter(({ schema }) => typesOf(schema).includes('integer'))

/** What commits say of themselves, sizes and times with their unit, and numbers that count nothing. */
const notCounts =
  /^(created|updated|deleted|unchanged|pageSize|part|revision|generation|afterGeneration|maxDeletions|excludedItems|value|maxGroupCount|wordCount|limit|maximum|\w+Seconds|\w+Bytes)$/

it('counts are integers that end in Count, and totalCount is the text of its family', () => {
  expect(named(integers.filter(({ name }) => !name.endsWith('Count') && !notCounts.test(name)))).toEqual([])
  const counts = fields.filter(({ name }) => name.endsWith('Count'))
  expect(counts.length).toBeGreaterThan(20)
  const wrong = counts.filter(
    ({ name, schema }) => !typesOf(schema).includes(name === 'totalCount' ? 'string' : 'integer'),
  )
  expect(named(wrong)).toEqual([])
})

it('a plural noun is a list or a map', () => {
  const plural = fields.filter(({ name }) =>
    /^(objectTypes|objects|versions|partitions|parts|indexes|keys|groups|scopes|links|orders|properties|fields|changes|grants)$/.test(
      name,
    ),
  )
  const wrong = plural.filter(
    ({ schema }) => !typesOf(schema).some((type) => type === 'array' || type === 'object' || type === 'any'),
  )
  expect(named(wrong.filter(({ at, name }) => !(at.includes('/api/v1/') && name === 'properties')))).toEqual(
    [],
  )
})

it('times end in At, tokens in Token, versions in Version', () => {
  const isTime = ({ schema }: Field) =>
    /T\[0-9\]|T\\\\?d/.test(JSON.stringify(schema.pattern ?? '')) || schema.pattern?.includes('T[0-9]{2}')
  expect(
    named(fields.filter((field) => isTime(field) && !/(At|^readableUntil|^at|^value)$/.test(field.name))),
  ).toEqual([])
  const tokens = fields.filter(({ name }) => /token/i.test(name))
  expect(named(tokens.filter(({ name }) => !/(Token|TokenId)$/.test(name) && name !== 'data'))).toEqual([])
  const versions = fields.filter(({ name }) => /version/i.test(name))
  expect(named(versions.filter(({ name }) => !/^(version|versions|\w+Version)$/.test(name)))).toEqual([])
})

it('a boolean has no `is`', () => {
  const booleans = fields.filter(({ schema }) => typesOf(schema).includes('boolean'))
  expect(booleans.length).toBeGreaterThan(5)
  expect(named(booleans.filter(({ name }) => /^is[A-Z]/.test(name)))).toEqual([])
})

it('no two addresses differ only in the names of their parameters', () => {
  const shapes = Object.keys(document.paths).map((path) => path.replaceAll(/\{[^}]+\}/g, '{}'))
  expect(shapes.filter((path, i) => shapes.indexOf(path) !== i)).toEqual([])
})

it('P142: every list of words in an answer may get new words', () => {
  expect(named(answered.filter(({ schema }) => 'x-extensible-enum' in schema)).length).toBeGreaterThan(10)
  expect(named(answered.filter(({ schema }) => schema.enum !== undefined))).toEqual([])
})

it('P434: a list or a map of an answer is always there', () => {
  const whole = (schema: Schema): Schema =>
    schema.$ref === undefined
      ? schema
      : (document.components.schemas[schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1)] ?? schema)
  const hasSeveral = ({ schema }: Field) => {
    const { items, additionalProperties, patternProperties } = whole(schema)
    return items !== undefined || typeof additionalProperties === 'object' || patternProperties !== undefined
  }
  expect(answered.filter(hasSeveral).length).toBeGreaterThan(20)
  const absent = answered.filter((field) => field.isOptional && hasSeveral(field))
  expect(named(absent.filter(({ at }) => !at.includes('.definition')))).toEqual([])
})

it('what was thrown away is not on the wire', () => {
  const gone =
    /^(drift|walkLimit|way|live|isBound|totalCountIsBound|isKept|grantId|mostDeleted|rebase|since|until|xxh64|snapshotVersions?)$/
  expect(named(fields.filter(({ name }) => gone.test(name)))).toEqual([])
})

it('what is created is 201 with an address, and what is deleted is 204', () => {
  for (const { method, path, answers } of ours) {
    const statuses = answers.map(([status]) => status)
    if (method === 'DELETE') expect([path, statuses]).toEqual([path, ['204']])
    for (const [status, answer] of answers)
      expect([path, status === '204']).toEqual([path, answer === undefined])
  }
})
