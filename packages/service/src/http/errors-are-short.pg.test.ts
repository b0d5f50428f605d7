// Every endpoint that the reference lists, with bad input of many kinds: an error never is much longer than what it answers.
import { limits } from '@octavo/protocol'
import { forAllTests } from '@octavo/dev-database/vitest'
import { expect, it } from 'vitest'
import { answerOf } from '../../test/support/answer-of.ts'
import { refusalOf } from '../../test/support/error-answer.ts'
import { itemId } from '../../test/support/load-items.ts'
import type { JsonRequest } from '../../test/support/page-revisions.ts'
import { serveOnFreshDatabase } from '../../test/support/serve-on-fresh-database.ts'
import { withItems } from '../../test/support/with-items.ts'

const service = forAllTests(serveOnFreshDatabase)
withItems(service, 3, 'item')

const long = 'x'.repeat(9_000)
const many = (text: string, count = 2_000) => Array.from({ length: count }, (_, i) => `${text}${i}`)
const fields = (names: readonly string[], value: unknown = 1) =>
  Object.fromEntries(names.map((name) => [name, value]))

/** Values that fit no field. */
const badValues: readonly unknown[] = [
  long.repeat(10),
  '\u0001'.repeat(50_000),
  many('name'),
  many('name').map((name) => ({ type: name, [name]: name })),
  fields(many('field')),
  JSON.parse(`${'['.repeat(500)}${']'.repeat(500)}`),
]

/** Bodies that are bad in themselves. */
const badBodies: readonly string[] = [
  '',
  '{',
  '[]',
  '{}',
  `"${long}"`,
  JSON.stringify(fields(many('unknown'))),
  JSON.stringify({ [long.repeat(50)]: 1 }),
]

const eq = (field: string, value: unknown) => ({ type: 'eq', field, value })
const some = (field: (i: number) => string) => Array.from({ length: 90 }, (_, i) => eq(field(i), 'a'))
const badQueries: readonly unknown[] = [
  { type: long.repeat(10) },
  eq(long, 1),
  eq('rank', long.repeat(20)),
  { type: 'and', value: some((i) => `p${i}${'y'.repeat(240)}`) },
  { type: 'in', field: 'rank', value: many('value', 900) },
  { type: 'linked', link: long, query: { type: 'empty' } },
  { type: 'not', value: { type: 'gte', field: 'rank', value: long } },
]

interface Operation {
  readonly parameters?: readonly { readonly name: string; readonly in: string }[]
  readonly requestBody?: {
    readonly content: Readonly<
      Record<string, { readonly schema?: { readonly properties?: Readonly<Record<string, unknown>> } }>
    >
  }
}

interface Endpoint extends Operation {
  readonly method: string
  readonly path: string
}

async function endpoints(): Promise<readonly Endpoint[]> {
  const { paths } = (await (await service.fetch('/openapi.json')).json()) as {
    readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  }
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      ...operation,
      method: method.toUpperCase(),
      path,
    })),
  )
}

/** Each time with a path that leads somewhere, but nothing is deleted. */
function pathTo({ path, method }: Endpoint): string {
  const { rid } = service.ontology
  const known: Readonly<Record<string, string>> = {
    ontologyRid: rid,
    ontology: rid,
    apiFamily: 'promised',
    objectType: 'item',
    primaryKey: itemId(1),
    link: 'same',
    linkType: 'same',
  }
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    method === 'DELETE' ? 'x' : (known[name] ?? 'x'),
  )
}

type Ask = readonly [string, (Omit<JsonRequest, 'method'> & { readonly method: string })?]

function* badRequests(endpoint: Endpoint): Generator<Ask> {
  const { method, parameters = [], requestBody } = endpoint
  const path = pathTo(endpoint)
  const bare = { method, headers: {} }
  yield [endpoint.path.replaceAll(/\{\w+\}/g, long), bare]
  yield [`${path}/${long}`, bare]
  yield [`${path}?${many('p', 1_000).join('&')}`, bare]
  yield [`${path}?${long}=${long.slice(0, 5_000)}`, bare]
  for (const { name, in: place } of parameters) {
    if (place === 'query') yield [`${path}?${name}=${long}`, bare]
  }
  const [type] = Object.keys(requestBody?.content ?? {})
  if (requestBody === undefined || type === undefined) return
  const sent = (body: string): Ask => [path, { method, headers: { 'content-type': type }, body }]
  for (const body of badBodies) yield sent(body)
  yield [path, { method, headers: { 'content-type': long }, body: '{}' }]
  const names = Object.keys(requestBody.content[type]?.schema?.properties ?? {})
  const valid = names.includes('query') ? { query: { type: 'empty' } } : {}
  for (const name of names) {
    for (const value of badValues) yield sent(JSON.stringify({ ...valid, [name]: value }))
  }
  if (names.includes('query')) for (const query of badQueries) yield sent(JSON.stringify({ query }))
  const bad = badValues.map((value) => JSON.stringify({ type: 'put', object: { id: value, rank: value } }))
  if (type.includes('ndjson')) yield sent([...bad, ...many('{"type":"put"')].join('\n'))
}

const bytesOf = ([path, init]: Ask): number => path.length + Buffer.byteLength(init?.body ?? '')

it('P390: no error has more than 4 KiB, on any endpoint, whatever is sent', async () => {
  const seen = new Map<string, number>()
  for (const endpoint of await endpoints()) {
    for (const ask of badRequests(endpoint)) {
      const answer = await answerOf(service, ...ask)
      if (answer.status < 400) continue
      const what = `${endpoint.method} ${endpoint.path}: ${ask[0].slice(0, 200)} ${ask[1]?.body?.slice(0, 200)}`
      expect(answer.status, what).not.toBe(500)
      const bytes = Buffer.byteLength(answer.text)
      expect(bytes, what).toBeLessThanOrEqual(limits.error.bytes)
      expect(bytes, what).toBeLessThanOrEqual(10 * bytesOf(ask) + limits.error.bytes)
      if (endpoint.path.startsWith('/multipass')) continue
      const { errorName } = refusalOf(answer)
      seen.set(errorName, (seen.get(errorName) ?? 0) + 1)
    }
  }
  expect([...seen.keys()]).toEqual(
    expect.arrayContaining([
      'Conjure:UnprocessableEntity',
      'InvalidBatch',
      'InvalidDefinition',
      'PropertiesNotSearchable',
      'PathNotFound',
      'PropertiesNotFound',
      'UnknownParameter',
    ]),
  )
})
