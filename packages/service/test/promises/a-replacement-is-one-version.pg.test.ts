import { forAllTests } from '@octavo/dev-database/vitest'
import { beforeAll, expect, it } from 'vitest'
import { itemDefinition, collectionIn } from '../support/load-items.ts'
import { manageOverHttp, put, remove } from '../support/manage-over-http.ts'
import { searching } from '../support/page-revisions.ts'
import { serveOnFreshDatabase } from '../support/serve-on-fresh-database.ts'
import { walkOverHttp } from '../support/walk-over-http.ts'
import { errorNamed } from '../support/named-errors.ts'

const objectType = 'item'
const service = forAllTests(serveOnFreshDatabase)
const manage = manageOverHttp(service)
const collection = collectionIn(service, objectType)

beforeAll(() => service.store.applyObjectType(service.ontology, itemDefinition(objectType)))

const contents = async () =>
  (await walkOverHttp(service, searching, collection, { snapshot: true })).records.map(
    ({ properties }) => properties,
  )

const historyRows = async () => {
  const type = await service.store.catalog.objectType(service.ontology, objectType)
  const rows = await service.store.database.rows({
    text: `select pk from ${type?.tables.history} order by pk, version_from`,
    values: [],
  })
  return rows.map(({ pk }) => pk)
}

const object = (number: number, rank = number) => ({ id: `i${String(number).padStart(3, '0')}`, rank })
const replace = { objectType, kind: 'replace', maxDeletions: '100%' } as const

it('P136: the puts are all that the type holds afterwards, in one version, and only what changed makes history', async () => {
  const before = Array.from({ length: 50 }, (_, i) => object(i))
  expect(
    await manage.commit(
      before.map((each) => put(each)),
      replace,
    ),
  ).toMatchObject({ version: '1', created: 50, deleted: 0 })
  // One object changed, one deleted, one new.
  const after = [...before.slice(2), object(1, 100), object(50)]
  expect(
    await manage.commit(
      after.map((each) => put(each)),
      replace,
    ),
  ).toMatchObject({ version: '2', created: 1, updated: 1, deleted: 1, unchanged: 48 })
  expect(await historyRows()).toEqual(['i000', 'i001'])
  expect(await contents()).toEqual(after.toSorted((a, b) => (a.id < b.id ? -1 : 1)))
  expect((await manage.request('GET', `objectTypes/${objectType}/statistics`)).json).toMatchObject({
    version: '2',
    objectCount: 50,
  })
})

it('P136: of a key that occurs twice the last put wins', async () => {
  expect(await manage.commit([put(object(1, 1)), put(object(1, 2)), put(object(2))], replace)).toMatchObject({
    updated: 1,
    unchanged: 1,
    deleted: 48,
  })
  expect(await contents()).toEqual([object(1, 2), object(2)])
})

it('P136: a snapshot walk that began before a replacement ends as it began', async () => {
  const before = await contents()
  const { records } = await walkOverHttp(service, searching, collection, {
    snapshot: true,
    pageSize: () => 1,
    afterPage: async (_page, number) => {
      if (number === 1) await manage.commit([put(object(900))], replace)
    },
  })
  expect(records.map(({ properties }) => properties)).toEqual(before)
  expect(await contents()).toEqual([object(900)])
})

it('P136: a delete, or nothing at all, is refused and changes nothing', async () => {
  const before = await contents()
  expect(await manage.refused([put(object(1)), remove('i900')], replace)).toMatchObject(
    errorNamed('InvalidBatch', {
      problems: [{ line: 2, problem: 'must be a put: replacing deletes every object that is not put' }],
    }),
  )
  expect(await manage.refused('\n', replace)).toMatchObject({ errorName: 'MissingPostBody' })
  expect(await contents()).toEqual(before)
})

it('P135, P136: a replacement with a known key is applied once, and is not the batch of the same lines', async () => {
  const lines = [put(object(1)), put(object(2))]
  const first = await manage.commit(lines, { ...replace, key: 'r' })
  await manage.commit([put(object(3))], { objectType })
  expect(await manage.commit(lines, { ...replace, key: 'r' })).toEqual({ ...first, replayed: true })
  expect(await contents()).toHaveLength(3)
  expect(await manage.refused(lines, { objectType, key: 'r' })).toMatchObject({
    errorName: 'IdempotencyKeyConflict',
  })
})
