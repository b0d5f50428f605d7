import { streamEndLineSchema } from '@octavo/protocol'
import { Value } from 'typebox/value'
import { forAllTests } from '@octavo/dev-database/vitest'
import { beforeAll, expect, it } from 'vitest'
import { answerOf } from '../support/answer-of.ts'
import { refusalOf } from '../support/error-answer.ts'
import { items, putItems } from '../support/load-items.ts'
import { jsonBody, searching } from '../support/page-revisions.ts'
import { askForStream, linesOf, readStream, streamCall } from '../support/read-stream.ts'
import { serveOnFreshDatabase } from '../support/serve-on-fresh-database.ts'
import { askForPage, readPage, walkOverHttp } from '../support/walk-over-http.ts'
import { withItems } from '../support/with-items.ts'
import { errorNamed, errorWith } from '../support/named-errors.ts'

const count = 2_503
const service = forAllTests(serveOnFreshDatabase)
const { type, collection } = withItems(service, count, 'item')
const { collection: none } = withItems(service, 0, 'none')

beforeAll(async () => {
  const nasty = ['a\nb', 'c\r\n,\nd', '"},\n{"', '\\n', '\u2028'].map((label, i) => ({
    id: `n${i}`,
    rank: i,
    label,
  }))
  await putItems(service.store, type, nasty)
})

it('P260: an export is a stream, whatever is accepted, and has all objects without a query', async () => {
  const [path, init] = streamCall(collection, { pageSize: 10 })
  for (const accept of ['application/x-ndjson', '*/*', 'application/json']) {
    const response = await service.fetch(path, { ...init, headers: { ...init.headers, accept } })
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/x-ndjson'])
    await response.text()
  }
  const all = await answerOf(service, path, jsonBody({}))
  expect(linesOf(all.text).records).toEqual((await readStream(service, collection)).records)
})

it.for([
  ['all objects', {}],
  ['some properties', { select: ['rank', 'tags'] }],
  ['another order', { orderBy: [{ property: 'rank', direction: 'desc' }] }],
  ['small pages', { pageSize: 97 }],
] as const)('P261: a stream has the objects of a snapshot walk: %s', async ([, ask]) => {
  const walk = await walkOverHttp(service, searching, collection, {
    ...ask,
    snapshot: true,
    pageSize: () => ('pageSize' in ask ? ask.pageSize : 1_000),
  })
  const { records, pages, end } = await readStream(service, collection, ask)
  expect(records).toEqual(walk.records)
  expect(pages.map((page) => page.length)).toEqual(walk.pages.map(({ data }) => data.length))
  const { data, snapshotToken, ...last } = walk.pages.at(-1) ?? { data: [] }
  expect(data.length).toBeGreaterThan(0)
  expect(end).toEqual({
    type: 'end',
    objectCount: walk.records.length,
    ...last,
    snapshotToken: expect.stringMatching(/^[\w-]+$/),
  })
  expect(Value.Check(streamEndLineSchema, end)).toBe(true)
  const named = await readPage(service, searching, collection, {
    snapshotToken: String(end?.['snapshotToken']),
    pageSize: 1,
  })
  expect(named.version).toBe(last.version)
  expect(snapshotToken).toBeDefined()
})

it('P261: a filtered stream has what a filtered walk has, and no total', async () => {
  const query = { type: 'lt', field: 'id', value: 'i001700' }
  const { records, pages, end } = await readStream(service, collection, { query, pageSize: 1_000 })
  expect(records.map(({ properties }) => properties['id'])).toEqual(items(1_700).map(({ id }) => id))
  expect(pages.map((page) => page.length)).toEqual([1_000, 700])
  expect(end).toMatchObject({ type: 'end', objectCount: 1_700 })
  expect(end).not.toHaveProperty('totalCount')
  expect(end).not.toHaveProperty('checksum')
})

it('P261: a stream without objects is its last line', async () => {
  const { text, end } = await readStream(service, none)
  expect(text).toBe(`${JSON.stringify(end)}\n`)
  expect(end).toMatchObject({ type: 'end', objectCount: 0, totalCount: '0', checksum: '0'.repeat(16) })
})

it('P262: what is refused before the first line is an answer like any other', async () => {
  const refused = await askForStream(service, collection, { pageSize: 0 })
  expect(refusalOf(refused)).toMatchObject({ status: 400, errorName: 'InvalidPageSize' })
  expect(refused.headers.get('content-type')).toBe('application/json; charset=utf-8')
  const missing = await askForStream(service, { ...collection, objectType: 'no' })
  expect(refusalOf(missing)).toMatchObject({ status: 404, errorName: 'ObjectTypeNotFound' })
})

it('P263: every page token of a stream continues right after it, as a stream or as a page, whatever is written', async () => {
  const { records, pages, pageTokens, end } = await readStream(service, collection, { pageSize: 300 })
  expect(pageTokens).toHaveLength(8)
  await putItems(service.store, type, [
    { id: 'a-first', rank: 1 },
    { id: 'i000500', rank: 100 },
  ])
  let before = 0
  for (const [i, pageToken] of pageTokens.entries()) {
    before += pages[i]?.length ?? 0
    const rest = await readStream(service, collection, { pageSize: 700, pageToken })
    expect(rest.records).toEqual(records.slice(before))
    expect(rest.end).toMatchObject({
      ...end,
      objectCount: records.length - before,
      snapshotToken: expect.anything(),
    })
    const page = await readPage(service, searching, collection, { snapshot: true, pageSize: 50, pageToken })
    expect(page.data).toEqual(records.slice(before, before + 50))
    const again = await readStream(service, collection, { pageToken: String(page.nextPageToken) })
    expect(again.records).toEqual(records.slice(before + 50))
  }
})

it('P263: the same with a snapshot token, which the requests repeat', async () => {
  const { end } = await readStream(service, collection, { pageSize: 1_000 })
  const snapshotToken = String(end?.['snapshotToken'])
  await putItems(service.store, type, [{ id: 'a-second', rank: 1 }])
  const {
    records,
    pageTokens,
    end: named,
  } = await readStream(service, collection, { snapshotToken, pageSize: 1_000 })
  expect(named).toMatchObject({ version: end?.['version'], checksum: end?.['checksum'] })
  const [pageToken] = pageTokens
  const rest = await readStream(service, collection, { snapshotToken, pageToken })
  expect(rest.records).toEqual(records.slice(1_000))
  expect(refusalOf(await askForStream(service, collection, { pageToken }))).toMatchObject(
    errorNamed('InvalidPageToken', { reason: 'requestChanged', changed: ['snapshot'] }),
  )
})

it('P264: a stream is of one snapshot, and a token of another walk is refused', async () => {
  expect(refusalOf(await askForStream(service, collection, { snapshot: false }))).toMatchObject(
    errorWith(400, 'UnknownParameter', { unknownParameters: ['snapshot'] }),
  )
  const { nextPageToken: pageToken } = await readPage(service, searching, collection, { pageSize: 5 })
  expect(refusalOf(await askForStream(service, collection, { pageToken }))).toMatchObject(
    errorNamed('InvalidPageToken', { reason: 'requestChanged', changed: ['snapshot'] }),
  )
  const { pageTokens } = await readStream(service, collection, { pageSize: 1_000 })
  const [ofStream] = pageTokens
  expect(refusalOf(await askForPage(service, searching, collection, { pageToken: ofStream }))).toMatchObject({
    errorName: 'InvalidPageToken',
  })
})

it('P264: without a page size its pages are as large as may be', async () => {
  const { pages } = await readStream(service, collection)
  expect(pages.map((page) => page.length).slice(0, 2)).toEqual([1_000, 1_000])
})

it('P269: a stream has no digest', async () => {
  const [path, init] = streamCall(none)
  const wanted = { 'want-content-digest': 'sha-256=1' }
  const response = await service.fetch(path, { ...init, headers: { ...init.headers, ...wanted } })
  await response.text()
  expect(response.headers.get('content-digest')).toBe(null)
  expect(response.headers.get('x-request-id')).toMatch(/./)
})

it('every page of a stream is observed and audited like a page', async () => {
  const before = service.observations.length
  await readStream(service, collection, { pageSize: 1_000 })
  const seen = service.observations.slice(before)
  const pages = seen.filter(({ kind }) => kind === 'page-served')
  expect(pages).toHaveLength(3)
  expect(pages.at(-1)).toMatchObject({ mode: 'snapshot', last: true })
  const reads = seen.filter((one) => one.kind === 'objects-read')
  expect(reads.map(({ objects }) => objects)).toEqual([1_000, 1_000, expect.any(Number)])
  expect(new Set(reads.map(({ walkId }) => walkId)).size).toBe(1)
  await expect
    .poll(() => service.observations.findLast(({ kind }) => kind === 'request-served'))
    .toMatchObject({ route: 'stream /api/:apiFamily/v1/objects/types/:objectType/export', status: 200 })
})
