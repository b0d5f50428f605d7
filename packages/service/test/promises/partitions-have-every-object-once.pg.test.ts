import { checksumOf } from '@octavo/model'
import type { FoundObject, ObjectTypeDefinition, Partitions } from '@octavo/protocol'
import { forAllTests } from '@octavo/dev-database/vitest'
import { expect, it } from 'vitest'
import { answerOf } from '../support/answer-of.ts'
import { refusalOf } from '../support/error-answer.ts'
import { itemDefinition, itemId, items, loadItems, putItems } from '../support/load-items.ts'
import { manageOverHttp, put, remove } from '../support/manage-over-http.ts'
import { jsonBody } from '../support/page-revisions.ts'
import { serveOnFreshDatabase } from '../support/serve-on-fresh-database.ts'
import { startTestService, type TestService } from '../support/start-test-service.ts'
import { grantTo, newTokenOf } from '../support/test-access.ts'
import { contentOf, type WirePage } from '../support/walk-over-http.ts'

const service = forAllTests(serveOnFreshDatabase)
const second = forAllTests(() =>
  startTestService({
    databaseUrl: service.databaseUrl,
    environment: { OCTAVO_PAGE_TOKEN_LIFETIME_SECONDS: '1' },
  }),
)
const manage = manageOverHttp(service)

type Asks = Readonly<Record<string, unknown>>
type Asked = Pick<TestService, 'fetch'>

const url = (objectType: string, action: 'partitions' | 'search' | 'export') =>
  `/api/promised/v1/objects/types/${objectType}/${action}`

async function split(objectType: string, ask: Asks, asked: Asked = service): Promise<Partitions> {
  return contentOf<Partitions>(answerOf(asked, url(objectType, 'partitions'), jsonBody(ask)))
}

const search = (objectType: string, ask: Asks, asked: Asked = service) =>
  answerOf(asked, url(objectType, 'search'), jsonBody({ query: { type: 'empty' }, ...ask }))

async function readPartition(
  objectType: string,
  ask: Asks,
  asked: Asked = service,
): Promise<readonly WirePage[]> {
  const pages: WirePage[] = []
  let { pageToken } = ask
  do {
    const page = await contentOf<WirePage>(search(objectType, { ...ask, pageToken }, asked))
    pages.push(page)
    pageToken = page.nextPageToken
  } while (pageToken !== undefined)
  return pages
}

/** The keys of each partition. */
const readPartitions = async (
  objectType: string,
  partitions: Partitions,
  ask: Asks = {},
  asked: Asked = service,
) =>
  Promise.all(
    partitions.data.map(async ({ pageToken }) => {
      const { snapshotToken } = partitions
      const pages = await readPartition(objectType, { pageSize: 7, ...ask, snapshotToken, pageToken }, asked)
      return pages.flatMap(({ data }) => data.map(({ primaryKey }) => String(primaryKey)))
    }),
  )

it('P253, P255: the partitions one after the other are the collection, whatever is written meanwhile', async () => {
  await loadItems(service.store, service.ontology, 200, 'split')
  const all = items(200).map(({ id }) => id)
  for (const partitionCount of [1, 2, 3, 7, 64]) {
    const answer = await split('split', { partitionCount })
    expect(answer.data.length).toBe(partitionCount)
    const read = readPartitions('split', answer)
    await manage.commit(
      [put({ id: `${itemId(10)}a`, rank: 1 }), remove(itemId(100)), put({ id: itemId(150), rank: 2 })],
      { objectType: 'split' },
    )
    const keys = await read
    expect(keys.flat()).toEqual(all)
    const mean = 200 / partitionCount
    for (const partition of keys) expect(partition.length).toBeLessThanOrEqual(Math.ceil(mean))
    await manage.commit([remove(`${itemId(10)}a`), put({ id: itemId(100), rank: 3 })], {
      objectType: 'split',
    })
  }
})

it('P253: a collection with fewer objects has fewer partitions, an empty one has one', async () => {
  await loadItems(service.store, service.ontology, 3, 'few')
  const few = await split('few', { partitionCount: 8 })
  expect(await readPartitions('few', few)).toEqual([[itemId(0)], [itemId(1)], [itemId(2)]])
  await loadItems(service.store, service.ontology, 0, 'none')
  const none = await split('none', { partitionCount: 8 })
  expect(none).toMatchObject({ totalCount: '0', checksum: '0'.repeat(16) })
  expect(await readPartitions('none', none)).toEqual([[]])
})

it('P253: a partition shows the state of the snapshot token, and new objects belong to a later state', async () => {
  await loadItems(service.store, service.ontology, 20, 'named')
  const before = await split('named', { partitionCount: 2 })
  await manage.commit([put({ id: 'z', rank: 0 }), put({ id: 'a', rank: 0 })], { objectType: 'named' })
  const again = await split('named', { partitionCount: 3, snapshotToken: before.snapshotToken })
  expect(again.version).toBe(before.version)
  expect((await readPartitions('named', again)).flat()).toEqual(items(20).map(({ id }) => id))
  const after = await split('named', { partitionCount: 3 })
  expect((await readPartitions('named', after)).flat()).toEqual(['a', ...items(20).map(({ id }) => id), 'z'])
})

const keysOf: Readonly<Record<string, (i: number) => unknown>> = {
  string: (i) => `${'é'.repeat(i % 3)}"k\\${i}`,
  integer: (i) => (i % 2 === 0 ? i : -i),
  long: (i) => String(BigInt(i) * 900_719_925_474_099_3n),
  date: (i) => new Date(86_400_000 * i).toISOString().slice(0, 10),
  timestamp: (i) => new Date(1_234_567 * i).toISOString(),
}

it.for(Object.keys(keysOf))('P255: keys of the type %s', async (type) => {
  const definition: ObjectTypeDefinition = {
    ...itemDefinition(`key-${type}`),
    titleProperty: 'id',
    properties: { id: { type: type as 'string' } },
  }
  const objectType = await service.store.applyObjectType(service.ontology, definition)
  const key = keysOf[type] ?? String
  await putItems(
    service.store,
    objectType,
    Array.from({ length: 40 }, (_, i) => ({ id: key(i) })),
  )
  const whole = await readPartition(definition.apiName, { snapshot: true })
  const partitions = await readPartitions(
    definition.apiName,
    await split(definition.apiName, { partitionCount: 5 }),
    {
      pageSize: 3,
    },
  )
  expect(partitions.length).toBe(5)
  expect(partitions.flat()).toEqual(whole.flatMap(({ data }) => data.map(({ primaryKey }) => primaryKey)))
})

it('P255: of a query, each partition has what matches, in the order of the key', async () => {
  const { type } = await loadItems(service.store, service.ontology, 300, 'queried')
  expect(type.key.property).toBe('id')
  const matching = items(300).filter(({ rank }) => rank < 30)
  const query = { type: 'lt', field: 'rank', value: 30 }
  const searchable = {
    ...itemDefinition('queried'),
    properties: {
      ...itemDefinition('queried').properties,
      rank: { type: 'integer' as const, searchable: true },
    },
  }
  await service.store.applyObjectType(service.ontology, searchable)
  const answer = await split('queried', { partitionCount: 4, query, select: ['rank'] })
  expect(answer).not.toHaveProperty('totalCount')
  expect(answer).not.toHaveProperty('checksum')
  expect(answer.data[0]).not.toHaveProperty('estimatedObjectCount')
  const keys = await readPartitions('queried', answer, { query, select: ['rank'] })
  expect(keys.flat()).toEqual(matching.map(({ id }) => id))
  for (const partition of keys) expect(partition.length).toBeLessThanOrEqual(Math.ceil(matching.length / 4))
})

it('P256: any caller can read a partition, for as long as its state is kept; what follows is its own', async () => {
  await loadItems(service.store, service.ontology, 30, 'handed')
  const { data, snapshotToken } = await split('handed', { partitionCount: 2 }, second)
  const worker = await newTokenOf(service.store, { subject: 'worker' })
  await grantTo(service.store, 'worker', service.ontology.rid, 'reader')
  const asWorker: Asked = {
    fetch: (path, init) =>
      second.fetch(path, { ...init, headers: { ...init?.headers, authorization: `Bearer ${worker.token}` } }),
  }
  // Longer than a page token lives on this instance.
  await new Promise((resolve) => setTimeout(resolve, 2_100))
  const ask = { snapshotToken, pageSize: 5, pageToken: data[0]?.pageToken }
  const page = JSON.parse((await search('handed', ask, asWorker)).text) as WirePage
  expect(page.data.map(({ primaryKey }) => primaryKey)).toEqual(items(5).map(({ id }) => id))
  await new Promise((resolve) => setTimeout(resolve, 2_100))
  const next = { ...ask, pageToken: page.nextPageToken }
  expect((await search('handed', next, asWorker)).status).toBe(200)
  expect(refusalOf(await search('handed', next, second)).parameters).toEqual({ reason: 'otherCaller' })
})

it('P254: a partition is read with its snapshot token and its query, and in no other order', async () => {
  await loadItems(service.store, service.ontology, 30, 'bound')
  const { data, snapshotToken } = await split('bound', { partitionCount: 2 })
  const pageToken = data[1]?.pageToken
  const changed = async (ask: Asks) => refusalOf(await search('bound', { pageToken, ...ask })).parameters
  const by = (partition: string) => ({ reason: 'requestChanged', changed: [partition] })
  expect(await changed({ snapshot: true })).toEqual(by('snapshot'))
  expect(await changed({ snapshotToken, select: ['rank'] })).toEqual(by('select'))
  const orderBy = { fields: [{ field: 'rank' }] }
  expect(await changed({ snapshotToken, orderBy })).toEqual(by('orderBy'))
  expect(await changed({ snapshotToken, query: { type: 'eq', field: 'id', value: 'a' } })).toEqual(
    by('query'),
  )
})

it('P254, P261: a partition can be read as one stream, which ends where the partition does', async () => {
  await loadItems(service.store, service.ontology, 30, 'streamed')
  const { data, snapshotToken } = await split('streamed', { partitionCount: 3 })
  const body = { snapshotToken, pageToken: data[1]?.pageToken, pageSize: 4 }
  const { text } = await answerOf(service, url('streamed', 'export'), jsonBody(body))
  const lines = text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { readonly type: string; readonly object?: FoundObject })
  const keys = lines.flatMap(({ object }) => (object === undefined ? [] : [object.primaryKey]))
  expect(keys).toEqual(
    items(30)
      .slice(10, 20)
      .map(({ id }) => id),
  )
  expect(lines.at(-1)).toMatchObject({ type: 'end', objectCount: 10 })
  expect(lines.at(-1)).not.toHaveProperty('totalCount')
})

it('P257: the total and the checksum are those of all partitions together', async () => {
  await loadItems(service.store, service.ontology, 25, 'summed')
  const answer = await split('summed', { partitionCount: 3 })
  expect(answer.totalCount).toBe('25')
  const objects: WirePage['data'][number][] = []
  for (const { pageToken } of answer.data) {
    const pages = await readPartition('summed', {
      snapshotToken: answer.snapshotToken,
      pageToken,
      pageSize: 4,
    })
    for (const page of pages) {
      expect(page).not.toHaveProperty('totalCount')
      expect(page).not.toHaveProperty('checksum')
      expect(page.version).toBe(answer.version)
    }
    expect(pages.at(-1)?.snapshotToken).toBeDefined()
    objects.push(...pages.flatMap(({ data }) => data))
  }
  expect(answer.checksum).toBe(checksumOf(objects))
  const shares = answer.data.map(({ estimatedObjectCount }) => estimatedObjectCount ?? 0)
  expect(shares.reduce((all, share) => all + share, 0)).toBe(25)
})

it('P253: a request that cannot be met is refused, with what to do', async () => {
  const refused = async (body: unknown) =>
    refusalOf(await answerOf(service, url('few', 'partitions'), jsonBody(body)))
  expect(await refused({ partitionCount: 0 })).toMatchObject({
    status: 422,
    parameters: { path: '/partitionCount', problem: 'it must be at least 1' },
  })
  expect(await refused({ partitionCount: 65 })).toMatchObject({
    status: 422,
    parameters: { path: '/partitionCount' },
  })
  expect(await refused({ partitionCount: 1.5 })).toMatchObject({
    status: 422,
    parameters: { path: '/partitionCount' },
  })
  expect(await refused({})).toMatchObject({
    status: 422,
    parameters: { problem: expect.stringContaining('partitionCount') },
  })
  expect(await refused([])).toMatchObject({ status: 422 })
  expect(await refused({ partitionCount: 2, partition: 2 })).toMatchObject({ errorName: 'UnknownParameter' })
  expect(await refused({ partitionCount: 2, orderBy: {} })).toMatchObject({ errorName: 'UnknownParameter' })
  expect(await refused({ partitionCount: 2, snapshotToken: 'x' })).toMatchObject({
    errorName: 'InvalidSnapshotToken',
  })
  const missing = await answerOf(service, url('few', 'partitions'), { method: 'POST' })
  expect(refusalOf(missing)).toMatchObject({ errorName: 'MissingPostBody' })
})

it('P258: a large collection is split by lot into partitions of similar size', async () => {
  const { type } = await loadItems(service.store, service.ontology, 0, 'large')
  const count = 12_000
  await putItems(service.store, type, items(count))
  const answer = await split('large', { partitionCount: 8 })
  expect(answer.data.length).toBe(8)
  const keys = await readPartitions('large', answer, { pageSize: 1_000 })
  expect(keys.flat()).toEqual(items(count).map(({ id }) => id))
  for (const partition of keys) expect(partition.length).toBeLessThan((2 * count) / 8)
})
