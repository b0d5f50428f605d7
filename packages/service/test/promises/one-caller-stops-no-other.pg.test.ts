// One caller sends many requests of seconds at once, again and again; another one asks for one page after another.
import { request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { forAllTests } from '@octavo/dev-database/vitest'
import { beforeAll, expect, it } from 'vitest'
import { putItems } from '../support/load-items.ts'
import { jsonBody, listing, type Collection, type JsonRequest } from '../support/page-revisions.ts'
import { serveOnFreshDatabase, type PromisedService } from '../support/serve-on-fresh-database.ts'
import { grantTo, newTokenOf } from '../support/test-access.ts'
import { askForPage } from '../support/walk-over-http.ts'
import { defineType } from '../support/define-type.ts'

const service = forAllTests(() => serveOnFreshDatabase({ environment: { OCTAVO_QUEUE_MILLISECONDS: '75' } }))
let collection: Collection
let greedy: string
let quiet: string

const count = 8_000
const keyOf = (number: number): string => `k${number % count}`
const string = { type: 'string', searchable: true } as const

beforeAll(async () => {
  const { store, ontology } = service
  const type = await store.applyObjectType(
    ontology,
    defineType(
      'node',
      { id: 'string', number: 'integer searchable', peer: string, text: string, many: 'string[] searchable' },
      { links: { many: { objectType: 'node', foreignKeyProperty: 'many', reverse: 'manies' } } },
    ),
  )
  await putItems(
    store,
    type,
    Array.from({ length: count }, (_, i) => ({
      id: keyOf(i),
      number: i,
      peer: keyOf(i * 7),
      text: Array.from({ length: 40 }, (_each, word) => `w${(i * 13 + word * 7) % 3_000}`).join(' '),
      many: Array.from({ length: 10 }, (_each, link) => keyOf(i * 31 + link * 97)),
    })),
  )
  collection = { ontologyRid: ontology.rid, apiFamily: 'promised', objectType: type.apiName }
  for (const subject of ['greedy', 'quiet']) await grantTo(store, subject, ontology.rid, 'reader')
  greedy = (await newTokenOf(store, { subject: 'greedy' })).token
  quiet = (await newTokenOf(store, { subject: 'quiet' })).token
})

const asCaller = (token: string): Pick<PromisedService, 'fetch'> => ({
  fetch: (path, { headers, ...init } = {}) =>
    service.fetch(path, { ...init, headers: { ...headers, authorization: `Bearer ${token}` } }),
})

const linked = (link: string, query: object) => ({ type: 'linked', link, query })
const not = (value: object) => ({ type: 'not', value })
const from0 = { type: 'gte', field: 'number', value: 100 }
const body = (path: string, asked: object): readonly [string, JsonRequest] => [
  `/api/promised/v1/objects/types/node/${path}`,
  jsonBody(asked),
]

const slowRequests = {
  'links three deep': body('search', {
    query: linked('manies', linked('many', linked('manies', from0))),
    pageSize: 1_000,
  }),
  'scans of texts': body('search', {
    query: {
      type: 'and',
      value: [not({ type: 'keyword', query: 'w1' }), not({ type: 'gte', field: 'number', value: -1 })],
    },
    pageSize: 1_000,
  }),
  'aggregates of many groups': body('aggregate', {
    aggregation: ['peer', 'id', 'text'].map((field) => ({ type: 'exactDistinct', field })),
    groupBy: [{ type: 'exact', field: 'number', maxGroupCount: 10_000 }],
  }),
  'lists of values': body('search', {
    query: {
      type: 'or',
      value: [0, 1, 2, 3, 4].map((list) => ({
        type: 'in',
        field: 'peer',
        value: Array.from({ length: 900 }, (_, i) => keyOf(list * 900 + i)),
      })),
    },
    pageSize: 1_000,
  }),
}

it.each(Object.entries(slowRequests))(
  'P166: %s of one caller, forty at once, do not refuse one page of another that sends one at a time',
  async (_, [path, init]) => {
    const enough = new AbortController()
    let refused = 0
    const floods = Array.from({ length: 40 }, async () => {
      while (!enough.signal.aborted) {
        const status = await statusOf(asCaller(greedy).fetch(path, { ...init, signal: enough.signal }))
        if (status !== 503) continue
        refused += 1
        await sleep(50)
      }
    })
    await expect.poll(() => refused).toBeGreaterThan(20)
    const pages: number[] = []
    for (let page = 0; page < 10; page += 1) {
      pages.push((await askForPage(asCaller(quiet), listing, collection, { pageSize: 10 })).status)
    }
    const before = refused
    // The flood continues.
    await expect.poll(() => refused).toBeGreaterThan(before)
    enough.abort()
    await Promise.all(floods)
    expect(pages).toEqual(pages.map(() => 200))
  },
)

it('P395: bodies of one caller that do not arrive leave room for those of another', async () => {
  const { hostname, port } = new URL(service.url)
  const [path, init] = slowRequests['lists of values']
  const bodies = Array.from({ length: 120 }, () => {
    const headers = { ...init.headers, authorization: `Bearer ${greedy}`, 'content-length': 1_024 * 1_024 }
    const sent = request({ hostname, port, path, method: 'POST', headers, agent: false })
    sent.on('error', () => {})
    sent.flushHeaders()
    return sent
  })
  let refused = 0
  for (const sent of bodies) sent.on('response', ({ statusCode }) => (refused += Number(statusCode === 503)))
  // There is room for 128 MiB, of which a quarter is for callers that have less than that.
  await expect.poll(() => refused).toBe(120 - 96)
  const large = { query: { type: 'empty' }, select: ['id'], pageSize: 1, [' '.repeat(900_000)]: null }
  const [where, asked] = body('search', large)
  const answer = await asCaller(quiet).fetch(where, asked)
  expect(await answer.json()).toMatchObject({ errorName: 'UnknownParameter' })
  expect((await askForPage(asCaller(quiet), listing, collection, { pageSize: 1 })).status).toBe(200)
  for (const sent of bodies) sent.destroy()
  await expect.poll(async () => (await asCaller(greedy).fetch(path, init)).status).toBe(200)
})

/** 0 if the answer was not waited for. */
const statusOf = (asked: Promise<Response>): Promise<number> =>
  asked.then(async (answer) => (await answer.arrayBuffer(), answer.status)).catch(() => 0)
