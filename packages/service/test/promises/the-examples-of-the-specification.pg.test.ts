// The examples of the specification: the test sends its requests, and the service must return its answers.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { forAllTests } from '@octavo/dev-database/vitest'
import { beforeAll, expect, it } from 'vitest'
import { answerOf } from '../support/answer-of.ts'
import { readState } from '../support/changes-over-http.ts'
import { putObject } from '../support/put-object.ts'
import { loadItems, putItems } from '../support/load-items.ts'
import { serveOnFreshDatabase } from '../support/serve-on-fresh-database.ts'
import { testToken } from '../support/test-access.ts'
import { defineType, structs } from '../support/define-type.ts'

const folder = join(import.meta.dirname, '../../../../spec')
// The example of the first page to be read comes first: that of changes removes what it shows.
const specification = ['README.md', ...globSync('*-*.md', { cwd: folder }).toSorted()]
  .map((file) => readFileSync(join(folder, file), 'utf8'))
  .join('\n')
const blocksOf = (kind: string): readonly string[] =>
  [...specification.matchAll(new RegExp(`^\`\`\`${kind}\n([^]*?)^\`\`\`$`, 'gm'))].map(
    ([, text = '']) => text,
  )

interface Message {
  readonly start: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
}

function messageOf(block: string): Message {
  const [head = '', body] = block.split('\n\n')
  const [start = '', ...lines] = head.trim().split('\n')
  const headers = Object.fromEntries(lines.map((line) => line.split(': ', 2) as [string, string]))
  return { start, headers, body: body?.trim() }
}

const messages = blocksOf('http').map(messageOf)
const examples = messages.flatMap((request, i) => {
  const answer = messages[i + 1]
  return i % 2 === 0 && answer !== undefined ? [{ request, answer }] : []
})

const employee = defineType(
  'employee',
  { employeeId: 'integer', fullName: 'string' },
  { titleProperty: 'fullName' },
)

const person = defineType(
  'com.example.object.person',
  {
    personId: 'string',
    fullName: 'string',
    name: structs({ firstName: 'string', lastName: 'string' }, 'searchable'),
  },
  { titleProperty: 'fullName' },
)

const service = forAllTests(serveOnFreshDatabase)

beforeAll(async () => {
  const { store } = service
  const people = await store.applyOntology({
    apiName: 'people',
    displayName: 'People',
    apiFamilies: ['people'],
  })
  const names = ['Ada Byron', 'Alan Mathison']
  await putItems(
    store,
    await store.applyObjectType(people, employee),
    Array.from({ length: 2_500 }, (_, i) => ({ employeeId: 1001 + i, fullName: names[i] ?? `Nobody ${i}` })),
  )
  await putItems(
    store,
    await store.applyObjectType(people, person),
    ['Ada', 'Annabella', 'Alan'].map((firstName, i) => ({
      personId: String(1001 + i),
      fullName: `${firstName} ${i < 2 ? 'Byron' : 'Mathison'}`,
      name: [{ firstName, lastName: i < 2 ? 'Byron' : 'Mathison' }],
    })),
  )
})

const versionNames = new Set(['version', 'untilVersion', 'fromVersion', 'toVersion', person.apiName])

/** Values that differ between services are only checked for their form. */
const withoutAccidents = (text: string): unknown =>
  JSON.parse(text, (name, value: unknown) => {
    if (name === 'checksum') return /^[0-9a-f]{16}$/.test(String(value)) ? 'a checksum' : value
    if (name === 'nextPageToken' || name === 'pageToken' || name === 'snapshotToken')
      return /^[A-Za-z0-9_-]{10,}$/.test(String(value)) ? 'a token' : value
    if (name === 'rid')
      return String(value).replace(/^ri\.ontology\.main\.object\.[0-9a-f-]{36}\./, 'rid of ')
    if (versionNames.has(name)) return /^(0|[1-9][0-9]*)$/.test(String(value)) ? 'a version' : value
    if (name === 'readableUntil' || name === 'committedAt')
      return Number.isNaN(Date.parse(String(value))) ? value : 'a time'
    return value
  })

/** Makes the changes of the example, and returns its body with the token of the state before them. */
async function withChanges(body: string): Promise<string> {
  const { objectType, apiFamily } = { objectType: person.apiName, apiFamily: 'people' }
  const before = await readState(service, { objectType, apiFamily, asks: {} })
  const ontologies = await service.store.catalog.ontologies()
  const people = ontologies.find(({ apiName }) => apiName === 'people')
  const type = people && (await service.store.catalog.objectType(people, objectType))
  if (type === undefined) throw new Error('no people')
  const married = putObject(type, { personId: '1001', fullName: 'Ada Lovelace' })
  await service.store.commit({ parts: [{ type, changes: [married, { kind: 'delete', key: '1003' }] }] })
  return JSON.stringify({ ...(JSON.parse(body) as object), fromSnapshotToken: before.snapshotToken })
}

const namesIn = (text: string): readonly string[] => Object.keys(JSON.parse(text) as object)

it('P1, P2, P150, P253, P261, P270, P280, P300, P331: the service answers the examples of the specification as they say', async () => {
  expect(examples).toHaveLength(9)
  const { data: ontologies } = JSON.parse((await answerOf(service, '/api/v1/ontologies')).text) as {
    readonly data: readonly { readonly apiName: string; readonly rid: string }[]
  }
  const rid = ontologies.find(({ apiName }) => apiName === 'people')?.rid ?? ''
  for (const { request, answer } of examples) {
    const [method = '', path = ''] = request.start.split(' ')
    const there = path.replace(/ri\.ontology\.main\.ontology\.[0-9a-f-]{36}/, rid)
    const { 'Content-Type': type } = request.headers
    const body = path.endsWith('/changes') ? await withChanges(request.body ?? '') : request.body
    const given = await answerOf(service, there, {
      method,
      ...(body !== undefined && { body }),
      ...(type && { headers: { 'content-type': type } }),
    })
    expect(`HTTP/1.1 ${given.status} OK`).toBe(answer.start)
    expect(given.headers.get('content-type')).toContain(answer.headers['Content-Type'])
    // A stream has several lines, any other answer is one text.
    const isStream = path.endsWith('/export')
    const [found, shown] = [given.text.trim(), answer.body ?? ''].map((text) =>
      isStream ? text.split('\n') : [text],
    )
    expect(found?.map(withoutAccidents)).toEqual(shown?.map(withoutAccidents))
    // In the order of the document.
    expect(found?.map(namesIn)).toEqual(shown?.map(namesIn))
  }
})

it('P15, P18: the loop for people who write a client reads every object once', async () => {
  const [loop = ''] = blocksOf('js')
  const module = (await import(
    `data:text/javascript,${encodeURIComponent(`${loop}\nexport { readAll }`)}`
  )) as Record<'readAll', (...given: readonly unknown[]) => AsyncIterable<{ readonly primaryKey: string }>>
  const { collection } = await loadItems(service.store, service.ontology, 250)
  const url = `${service.url}/api/promised/v1/objects/types/${collection.objectType}/search`
  const keys: string[] = []
  const body = { query: { type: 'empty' }, snapshot: true, pageSize: 100 }
  for await (const { primaryKey } of module.readAll(url, testToken, body)) keys.push(primaryKey)
  expect(keys).toHaveLength(250)
  expect(new Set(keys).size).toBe(250)
})
