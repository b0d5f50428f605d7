// What the paging conventions say of requests, modes, callers and limits, for lists (revision 1.0) and searches (revision 2.0).
import { forAllTests } from '@octavo/dev-database/vitest'
import { beforeAll, describe, expect, it } from 'vitest'
import { answerOf } from '../../support/answer-of.ts'
import { refusalOf } from '../../support/error-answer.ts'
import { collectionOf, itemDefinition, items, loadItems, putItems } from '../../support/load-items.ts'
import { manageOverHttp, put, remove } from '../../support/manage-over-http.ts'
import { jsonBody, listing, revisions } from '../../support/page-revisions.ts'
import { parseAnswer, sendRaw } from '../../support/send-raw.ts'
import { serveOnFreshDatabase } from '../../support/serve-on-fresh-database.ts'
import type { TestRequest } from '../../support/start-test-service.ts'
import { testToken } from '../../support/test-access.ts'
import { askForPage, readPage, walkOverHttp, type WirePage } from '../../support/walk-over-http.ts'
import { withItems } from '../../support/with-items.ts'

const service = forAllTests(serveOnFreshDatabase)
const { collection: people } = withItems(service, 7, 'person')
let list = ''
const search = '/api/promised/v1/objects/types/person/search'
const query = { type: 'empty' } as const
const keys = items(7).map(({ id }) => id)

beforeAll(async () => {
  list = `/api/v1/ontologies/${service.ontology.rid}/objects/person`
})

const answered = (path: string, init?: TestRequest) => answerOf(service, path, init)
const refused = async (path: string, init?: TestRequest) => refusalOf(await answered(path, init))
const page = async (path: string, init?: TestRequest): Promise<WirePage> => {
  const { status, text } = await answered(path, init)
  expect(status, text).toBe(200)
  return JSON.parse(text) as WirePage
}
const found = (body: object) => page(search, jsonBody({ query, ...body }))
const searchRefused = (body: object) => refused(search, jsonBody(body))
const keysOf = ({ data }: Pick<WirePage, 'data'>) => data.map(({ properties }) => properties['id'])
const envelope = {
  data: expect.any(Array) as unknown[],
  nextPageToken: expect.stringMatching(/./) as string,
}

describe('paging parameters', () => {
  it.for(revisions)(
    'S28, revision $name: the rest of the request is repeated unchanged',
    async (revision) => {
      const orderBy = [{ property: 'rank', direction: 'asc' }] as const
      const { nextPageToken: pageToken } = await readPage(service, revision, people, { pageSize: 3, orderBy })
      const next = await readPage(service, revision, people, { pageSize: 3, orderBy, pageToken })
      expect(next.data).toHaveLength(3)
      for (const changed of [{}, { orderBy, snapshot: true }, { orderBy, select: ['rank'] }]) {
        const answer = await askForPage(service, revision, people, { ...changed, pageSize: 3, pageToken })
        expect(refusalOf(answer)).toMatchObject({ parameters: { reason: 'requestChanged' } })
      }
    },
  )

  it('S29: in revision 1.0 pageSize is an optional integer of the query string', async () => {
    expect((await page(`${list}?pageSize=2`)).data).toHaveLength(2)
    expect((await page(list)).data).toHaveLength(7)
    for (const pageSize of ['0', '-1', '1.5', '', 'two'])
      expect(await refused(`${list}?pageSize=${pageSize}`)).toMatchObject({ errorName: 'InvalidPageSize' })
  })

  it('S30: in revision 2.0 pageSize is where the endpoint defines it, and nowhere else', async () => {
    expect((await found({ pageSize: 2 })).data).toHaveLength(2)
    expect(await refused(`${search}?pageSize=2`, jsonBody({ query }))).toMatchObject({
      errorName: 'UnknownParameter',
    })
    const count = '/api/promised/v1/objects/types/person/count'
    expect(await refused(count, jsonBody({ pageSize: 2 }))).toMatchObject({ errorName: 'UnknownParameter' })
  })

  it('S31: pageSize is a suggestion, which may change from page to page', async () => {
    const { nextPageToken } = await page(`${list}?pageSize=2`)
    expect(keysOf(await page(`${list}?pageSize=4&pageToken=${nextPageToken}`))).toEqual(keys.slice(2, 6))
  })

  it('S33: in revision 1.0 some endpoints have the boolean parameter snapshot', async () => {
    for (const snapshot of ['true', 'false'])
      expect((await page(`${list}?snapshot=${snapshot}`)).data).toHaveLength(7)
    for (const snapshot of ['', 'TRUE', '1', 'yes'])
      expect(await refused(`${list}?snapshot=${snapshot}`)).toMatchObject({
        errorName: 'InvalidParameterValue',
      })
  })
})

describe('list objects, revision 1.0', () => {
  it('S35: the method is GET', async () => {
    const answer = await answered(list, { method: 'POST' })
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET, HEAD'])
  })

  it('S36, S37: the path names ontology and object type; the query string is optional', async () => {
    expect(list).toMatch(/^\/api\/v1\/ontologies\/ri\.[^/]+\/objects\/person$/)
    expect(keysOf(await page(list))).toEqual(keys)
    expect((await page(`${list}?pageSize=2&snapshot=true`)).data).toHaveLength(2)
  })

  it('S38: there is no request body', async () => {
    const send = async (body: string) =>
      parseAnswer(
        await sendRaw(
          service.url,
          `GET ${list} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${testToken}\r\nConnection: close\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
        ),
      )
    expect((await send('')).status).toBe(200)
    expect(refusalOf(await send('{}'))).toMatchObject({ errorName: 'UnknownParameter' })
  })

  it('S39: the response is the envelope of a page', async () => {
    expect(await page(`${list}?pageSize=2`)).toMatchObject(envelope)
  })

  it('S40: later pages are the same GET with pageToken added', async () => {
    const seen: unknown[] = []
    for (let path = `${list}?pageSize=3`; ;) {
      const { data, nextPageToken } = await page(path)
      seen.push(...keysOf({ data }))
      if (nextPageToken === undefined) break
      path = `${list}?pageSize=3&pageToken=${nextPageToken}`
    }
    expect(seen).toEqual(keys)
  })
})

describe('search objects by type, revision 2.0', () => {
  it('S41, S42: the method is POST, the path names API family and object type', async () => {
    expect(keysOf(await page(search, jsonBody({ query })))).toEqual(keys)
    const answer = await answered(search)
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'POST'])
  })

  it('S43: query is a required object', async () => {
    for (const body of [{}, { query: null }, { query: 'empty' }, { query: [] }])
      expect(await searchRefused(body)).toMatchObject({ status: 422 })
  })

  it('S44: query has a field type, which is a string', async () => {
    for (const type of [undefined, null, 1, 'unknown'])
      expect(await searchRefused({ query: { type } })).toMatchObject({ status: 422 })
  })

  it('S45: the type empty is a query without conditions', async () => {
    expect(keysOf(await found({}))).toEqual(keys)
    const one = { type: 'eq', field: 'id', value: keys[3] }
    expect(keysOf(await found({ query: one }))).toEqual([keys[3]])
  })

  it('S46: pageToken is a string, omitted on the first request', async () => {
    for (const pageToken of ['', 1, {}])
      expect(await searchRefused({ query, pageToken })).toMatchObject({ errorName: 'InvalidPageToken' })
  })

  it('S47: the response is the envelope of a page', async () => {
    expect(await found({ pageSize: 2 })).toMatchObject(envelope)
  })

  it('S48: later pages are the same body with pageToken added, and with an identical query', async () => {
    const { nextPageToken: pageToken } = await found({ pageSize: 3 })
    expect(keysOf(await found({ pageSize: 3, pageToken }))).toEqual(keys.slice(3, 6))
    const other = { type: 'eq', field: 'id', value: keys[3] }
    expect(await searchRefused({ query: other, pageSize: 3, pageToken })).toMatchObject({
      parameters: { reason: 'requestChanged', changed: ['query'] },
    })
  })
})

describe('paging behaviours, revision 1.0', () => {
  let made = 0
  /** Reads objects of these ranks two at a time, and does something else after the first page. */
  async function readAround(
    ranks: readonly number[],
    ask: { readonly snapshot?: boolean; readonly byRank?: true },
    lines: readonly object[],
  ) {
    made += 1
    const apiName = `ranked${made}`
    const type = await service.store.applyObjectType(service.ontology, itemDefinition(apiName))
    await putItems(
      service.store,
      type,
      ranks.map((rank) => ({ id: `i${rank}`, rank })),
    )
    const { pages } = await walkOverHttp(service, listing, collectionOf(service.ontology, type), {
      ...(ask.snapshot !== undefined && { snapshot: ask.snapshot }),
      ...(ask.byRank && { orderBy: [{ property: 'rank', direction: 'asc' }] }),
      pageSize: () => 2,
      afterPage: async (_page, number) => {
        if (number === 1) await manageOverHttp(service).commit(lines, { objectType: apiName })
      },
    })
    return pages.flatMap(({ data }) =>
      data.map(({ properties: { id, rank } }) => `${String(id)}:${String(rank)}`),
    )
  }

  it.for([undefined, false])(
    'S34, S50, S51: with snapshot %s, each request returns the latest results',
    async (snapshot) => {
      const changes = [put({ id: 'i3', rank: 9 }), remove('i4'), put({ id: 'i6', rank: 6 })]
      const seen = await readAround([1, 2, 3, 4, 5], snapshot === undefined ? {} : { snapshot }, changes)
      expect(seen).toEqual(['i1:1', 'i2:2', 'i3:9', 'i5:5', 'i6:6'])
    },
  )

  it('S52: by default, duplicates and missing items can occur when data changes between requests', async () => {
    const moved = [put({ id: 'i1', rank: 9 }), put({ id: 'i4', rank: 0 })]
    const seen = await readAround([1, 2, 3, 4, 5], { byRank: true }, moved)
    expect(seen).toEqual(['i1:1', 'i2:2', 'i3:3', 'i5:5', 'i1:9'])
  })

  it.for([{}, { byRank: true }] as const)(
    'S34, S53, S54, S55: in a snapshot of %j, nothing is duplicate or missing, and all is as it was',
    async (order) => {
      const changes = [
        put({ id: 'i1', rank: 9 }),
        put({ id: 'i4', rank: 0 }),
        remove('i5'),
        put({ id: 'i6' }),
      ]
      const seen = await readAround([1, 2, 3, 4, 5], { ...order, snapshot: true }, changes)
      expect(seen).toEqual(['i1:1', 'i2:2', 'i3:3', 'i4:4', 'i5:5'])
    },
  )

  it('S55: an endpoint without snapshots has the default behaviour only', async () => {
    const types = `/api/v1/ontologies/${service.ontology.rid}/objectTypes`
    expect(await page(`${types}?snapshot=false`)).toEqual(await page(types))
    expect(await refused(`${types}?snapshot=true`)).toMatchObject({ errorName: 'InvalidParameterValue' })
  })
})

it.for(revisions)(
  'S49, S56, revision $name: authentication is sent with the request for every page',
  async (revision) => {
    const { nextPageToken } = await readPage(service, revision, people, { pageSize: 3 })
    for (const pageToken of [undefined, nextPageToken]) {
      const { path, init } = revision.call(people, { pageSize: 3, pageToken })
      expect((await answered(path, init)).status).toBe(200)
      const without = await answered(path, { ...init, headers: { ...init.headers, authorization: '' } })
      expect(refusalOf(without)).toMatchObject({ status: 401, errorName: 'Default:Unauthorized' })
    }
  },
)

it('S32, S57: a page has at most 1,000 objects, and a list at most 10,000 over all pages, then an error', async () => {
  const { collection } = await loadItems(service.store, service.ontology, 10_001, 'many')
  for (const revision of revisions) {
    const largest = await readPage(service, revision, collection, { pageSize: 1_001 })
    expect(largest.data).toHaveLength(1_000)
    const byDefault = await readPage(service, revision, collection)
    expect(byDefault.data).toHaveLength(revision.sizes.default)
  }
  let pageToken: string | undefined
  let read = 0
  do {
    const next = await readPage(service, listing, collection, { pageToken })
    read += next.data.length
    pageToken = next.nextPageToken
  } while (read < 10_000)
  const beyond = await askForPage(service, listing, collection, { pageToken })
  expect([read, refusalOf(beyond)]).toMatchObject([
    10_000,
    { status: 400, errorName: 'ObjectsExceededLimit' },
  ])
})
