// A policy, or a claim of the caller, changes between two pages of a walk.
import { forAllTests } from '@octavo/dev-database/vitest'
import { matchesQuery, seededRandom } from '@octavo/model'
import type { PolicyQuery, Query } from '@octavo/protocol'
import { expect, it } from 'vitest'
import type { ObjectType } from '../../src/catalog/object-type.ts'
import type { Claims } from '../../src/catalog/filter/policy-filter.ts'
import { refusalOf } from '../support/error-answer.ts'
import { openTestStore } from '../support/open-test-store.ts'
import { listing, searching, type Collection } from '../support/page-revisions.ts'
import { searchingFor } from '../support/page-revisions.ts'
import { serveClaims } from '../support/serve-claims.ts'
import { putObject } from '../support/put-object.ts'
import { askForPage, readPage, walkOverHttp, type WirePage } from '../support/walk-over-http.ts'
import type { TestService } from '../support/start-test-service.ts'
import { withStore } from '../support/with-store.ts'
import { databaseThatGuesses } from '../support/database-that-guesses.ts'
import { defineType } from '../support/define-type.ts'
import { errorNamed } from '../support/named-errors.ts'

const { database, store, ontology } = withStore()

const plain = defineType('file', {
  id: 'string',
  department: 'string searchable',
  level: 'integer searchable sortable',
  note: 'string',
})
const departments = ['legal', 'sales', 'works'] as const
const files = Array.from({ length: 60 }, (_, i) => ({
  id: `file-${String((i * 37) % 60).padStart(2, '0')}`,
  ...(i % 7 !== 0 && { department: departments[i % 3] }),
  ...(i % 5 !== 0 && { level: i % 4 }),
  note: 'n',
}))
const sameDepartment: PolicyQuery = { type: 'eq', field: 'department', value: { claim: 'department' } }
const highEnough: PolicyQuery = { type: 'lte', field: 'level', value: { claim: 'level' } }
const query: Query = { type: 'gte', field: 'level', value: 0 }

const service = forAllTests(() => {
  const random = seededRandom(1)
  // Random estimates, so that walks start with every order that a policy or a query can produce.
  return serveClaims({ ...store, database: databaseThatGuesses(store.database, random, 5_000) })
})

const apply = (policy: PolicyQuery | undefined, definition = plain): Promise<ObjectType> =>
  store.applyObjectType(ontology, { ...definition, ...(policy && { policy }) })

async function loaded(apiName: string, policy?: PolicyQuery): Promise<Collection> {
  const type = await apply(policy, { ...plain, apiName })
  await store.commit({ parts: [{ type, changes: files.map((file) => putObject(type, file)) }] })
  return { ontologyRid: ontology.rid, apiFamily: 'promised', objectType: apiName }
}

interface Rule {
  readonly policy: PolicyQuery | undefined
  readonly claims: Claims
  readonly meaning: Query
}

const all: Query = { type: 'empty' }
const sales: Query = { type: 'eq', field: 'department', value: 'sales' }
const rules: readonly Rule[] = [
  { policy: undefined, claims: {}, meaning: all },
  { policy: sameDepartment, claims: { department: 'sales' }, meaning: sales },
  { policy: sameDepartment, claims: {}, meaning: { type: 'or', value: [] } },
  { policy: highEnough, claims: { level: 2 }, meaning: { type: 'lte', field: 'level', value: 2 } },
  {
    policy: { type: 'not', value: sameDepartment },
    claims: { department: 'sales' },
    meaning: { type: 'not', value: sales },
  },
]
const idsOf = (rule: Rule, asked: Query) =>
  files
    .filter((file) => [rule.meaning, asked].every((one) => matchesQuery(plain, one, file)))
    .map(({ id }) => id)

it('P147: another policy or other claims hold from the next page on, and what both show is returned exactly once', async () => {
  const collection = await loaded('file.changing')
  let changed = 0
  const ways = [listing, searching, searchingFor(query)].flatMap((revision) =>
    [false, true].map((snapshot) => ({ revision, snapshot })),
  )
  for (const [before, after] of rules.flatMap((one) => rules.map((other) => [one, other] as const))) {
    let current = before
    await apply(before.policy, { ...plain, apiName: 'file.changing' })
    // All walks read two pages, or as many as there are, before the rule changes under them.
    const isChanged = Promise.withResolvers<void>()
    let reading = ways.length
    const hasRead = async () => {
      reading -= 1
      if (reading > 0) return
      current = after
      await apply(after.policy, { ...plain, apiName: 'file.changing' })
      isChanged.resolve()
    }
    const caller: Pick<TestService, 'fetch'> = {
      fetch: (path, init) => service.as(current.claims).fetch(path, init),
    }
    const walk = async ({ revision, snapshot }: (typeof ways)[number]) => {
      const pages: string[][] = []
      const afterPage = async ({ data }: WirePage, number: number) => {
        pages.push(data.map(({ properties }) => String(properties['id'])))
        if (number !== 2) return
        changed += 1
        await hasRead()
        await isChanged.promise
      }
      await walkOverHttp(caller, revision, collection, { snapshot, pageSize: () => 4, afterPage }).catch(
        (error: unknown) => {
          // A walk whose next page would show nothing ends with an empty page.
          if (!String(error).includes('a page after the first is empty')) throw error
        },
      )
      if (pages.length < 2) await hasRead()
      const asked = revision === listing || revision === searching ? all : query
      const [first, second] = [pages.slice(0, 2).flat(), pages.slice(2).flat()]
      const [early, late] = [idsOf(before, asked), idsOf(after, asked)]
      const both = pages.length < 2 ? [] : early.filter((id) => late.includes(id))
      expect(
        {
          shownTooEarly: first.filter((id) => !early.includes(id)),
          shownTooLate: second.filter((id) => !late.includes(id)),
          lost: both.filter((id) => !first.includes(id) && !second.includes(id)),
          returned: new Set([...first, ...second]).size,
        },
        JSON.stringify({ before, after, revision: revision.name, asked, snapshot }),
      ).toEqual({ shownTooEarly: [], shownTooLate: [], lost: [], returned: first.length + second.length })
    }
    await Promise.all(ways.map(walk))
  }
  expect(changed).toBeGreaterThan(60)
})

it('P98: a walk whose own query lost its declaration gets that error, whatever the policy is now', async () => {
  const collection = await loaded('file.gone', sameDepartment)
  const caller = service.as({ department: 'sales', level: 3 })
  const revision = searchingFor({ type: 'in', field: 'department', value: [...departments] })
  const unsearchable = {
    ...plain,
    apiName: 'file.gone',
    properties: { ...plain.properties, department: { type: 'string' } },
  } as const
  const tokens: (string | undefined)[] = []
  for (let i = 0; i < 20; i += 1)
    tokens.push((await readPage(caller, revision, collection, { pageSize: 1 })).nextPageToken)
  await apply(highEnough, unsearchable)
  const other = searchingFor({ type: 'in', field: 'level', value: [0, 1, 2, 3] })
  const answers = await Promise.all(
    tokens.map((pageToken) => askForPage(caller, revision, collection, { pageSize: 1, pageToken })),
  )
  // The property of the query itself is no longer searchable, which is reported first.
  expect(new Set(answers.map((answer) => refusalOf(answer).errorName))).toEqual(
    new Set(['PropertiesNotSearchable']),
  )
  expect((await readPage(caller, other, collection)).data.length).toBeGreaterThan(0)
})

it('P147: a policy that was lifted together with its declaration ends no walk', async () => {
  const collection = await loaded('file.lifted', sameDepartment)
  const caller = service.as({ department: 'sales' })
  const revision = searchingFor(query)
  const tokens: (string | undefined)[] = []
  for (let i = 0; i < 30; i += 1)
    tokens.push((await readPage(caller, revision, collection, { pageSize: 1 })).nextPageToken)
  await apply(undefined, {
    ...plain,
    apiName: 'file.lifted',
    properties: { ...plain.properties, department: { type: 'string' } },
  })
  for (const pageToken of tokens)
    expect((await readPage(caller, revision, collection, { pageSize: 1, pageToken })).data).toHaveLength(1)
})

it('P147: a walk in the order of a searchable string ends when that has become sortable', async () => {
  const collection = await loaded('file.sorted')
  const caller = service.as({})
  const revision = searchingFor({ type: 'gte', field: 'department', value: '' })
  const { nextPageToken: pageToken } = await readPage(caller, revision, collection, { pageSize: 1 })
  await apply(undefined, {
    ...plain,
    apiName: 'file.sorted',
    properties: { ...plain.properties, department: { type: 'string', searchable: true, sortable: true } },
  })
  const { errorName, parameters } = refusalOf(
    await askForPage(caller, revision, collection, { pageSize: 1, pageToken }),
  )
  expect({ errorName, parameters }).toEqual(
    errorNamed('InvalidPageToken', { reason: 'requestChanged', changed: ['objectType'] }),
  )
})

it('P144: the errors of a request are the same for a caller who sees all and one who sees nothing', async () => {
  const collection = await loaded('file.errors', {
    type: 'in',
    field: 'department',
    value: { claim: 'departments' },
  })
  const path = `/api/v1/ontologies/${ontology.rid}/objects/file.errors`
  const asked: readonly (readonly [string, RequestInit?])[] = [
    [`${path}?properties.note.eq=n`],
    [`${path}?properties.department.lt=1&properties.level.eq=x`],
    [`${path}?orderBy=properties.note:asc`],
    [`${path}?properties.nope.eq=1`],
    [`${path}?pageToken=AAAA`],
    [`${path}/file-00?properties=nope`],
    [`${path}/nope`],
    [`/api/v1/ontologies/${ontology.rid}/objectTypes/file.errors`],
    ['/api/files/v1/objects/types/file.errors'],
    ...[
      { type: 'eq', field: 'note', value: 'n' },
      { type: 'contains', field: 'department', value: 'sales' },
      { type: 'eq', field: 'level', value: 'x' },
      { type: 'eq', field: 'department', value: { claim: 'departments' } },
    ].map((wrong) => {
      const call = searchingFor(wrong as Query).call(collection, {})
      return [call.path, call.init] as const
    }),
  ]
  const [seeing, blind] = [{ departments: [...departments] }, {}].map((claims) => service.as(claims))
  for (const [url, init] of asked) {
    const [one, other] = await Promise.all(
      [seeing, blind].map(async (caller) => {
        const response = await caller?.fetch(url, init as never)
        const text = (await response?.text())?.replace(/"errorInstanceId":"[^"]*"/, '')
        return { status: response?.status, text }
      }),
    )
    expect(one, url).toEqual(other)
    expect(one?.text, url).not.toContain('departments')
  }
})

it('P144: a scan that ran out of time among hidden objects tells nothing of them', async () => {
  const type = await apply(
    { type: 'not', value: { type: 'eq', field: 'department', value: { claim: 'shunned' } } },
    { ...plain, apiName: 'file.slow' },
  )
  const changes = Array.from({ length: 1_500 }, (_, i) =>
    putObject(type, { id: `hidden-${String(i).padStart(5, '0')}`, department: 'works' }),
  )
  await store.commit({ parts: [{ type, changes }] })
  let elapsed = 0
  const slow = openTestStore({ databaseUrl: database.url }, { elapsed: () => (elapsed += 20_000) })
  const slowService = await serveClaims(slow)
  try {
    const collection = { ontologyRid: ontology.rid, apiFamily: 'promised', objectType: 'file.slow' }
    const caller = slowService.as({ shunned: 'works' })
    const first = await askForPage(caller, searching, collection, { pageSize: 1 })
    const { errorName, parameters } = refusalOf(first)
    expect(errorName).toBe('ScanTimedOut')
    const token = String(parameters['pageToken'])
    expect(first.text + Buffer.from(token, 'base64url').toString('latin1')).not.toContain('hidden')
    const next = await askForPage(caller, searching, collection, { pageSize: 1, pageToken: token })
    expect({ status: next.status, text: next.text }).toEqual({
      status: 200,
      text: '{"data":[],"version":"1"}',
    })
  } finally {
    await slowService.close()
    await slow.database.close()
  }
})

it('P144: a token whose position is a hidden object does not reveal how long its key is', async () => {
  const policy = {
    type: 'not',
    value: { type: 'eq', field: 'department', value: { claim: 'shunned' } },
  } as const
  let elapsed = 0
  let step = 0
  const slow = openTestStore(
    { databaseUrl: database.url },
    { elapsed: () => (elapsed += step), stretchLengths: { usual: [2], longer: [] } },
  )
  const slowService = await serveClaims(slow)
  /** A visible object, some hidden ones with keys of this length, and another visible one. */
  const tokens = async (name: string, bytes: number) => {
    const type = await apply(policy, { ...plain, apiName: name })
    const hidden = Array.from({ length: 8 }, (_, i) => `h${i}`.padEnd(bytes, 'x'))
    const objects = [
      { id: 'a', department: 'sales' },
      ...hidden.map((id) => ({ id, department: 'works' })),
      { id: 'z', department: 'sales' },
    ]
    await store.commit({ parts: [{ type, changes: objects.map((object) => putObject(type, object)) }] })
    const collection = { ontologyRid: ontology.rid, apiFamily: 'promised', objectType: name }
    const caller = slowService.as({ shunned: 'works' })
    const ask = (pageToken?: string) => askForPage(caller, searching, collection, { pageSize: 5, pageToken })
    // Long after its first stretch, the page keeps searching: its token continues at the stretch of the second visible
    // object.
    step = 11_000
    const lookedOn = JSON.parse((await ask()).text) as WirePage
    expect(lookedOn.data).toHaveLength(1)
    // The time is up after one stretch.
    step = 30_000
    const ended = JSON.parse((await ask()).text) as WirePage
    const { errorName, parameters } = refusalOf(await ask(ended.nextPageToken))
    expect(errorName).toBe('ScanTimedOut')
    return [lookedOn.nextPageToken, ended.nextPageToken, String(parameters['pageToken'])].map(
      (token) => token?.length ?? 0,
    )
  }
  try {
    const short = await tokens('file.short', 2)
    expect(short.every((length) => length > 0)).toBe(true)
    expect(await tokens('file.long', 1_000)).toEqual(short)
  } finally {
    await slowService.close()
    await slow.database.close()
  }
})
