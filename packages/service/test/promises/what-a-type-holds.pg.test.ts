import { objectTypeStatisticsSchema, type ObjectTypeStatistics } from '@octavo/protocol'
import { Compile } from 'typebox/compile'
import { forAllTests } from '@octavo/dev-database/vitest'
import { expect, it, vi } from 'vitest'
import { itemDefinition, items, loadItems, putItems } from '../support/load-items.ts'
import { manageOverHttp, put } from '../support/manage-over-http.ts'
import { serveOnFreshDatabase } from '../support/serve-on-fresh-database.ts'

const service = forAllTests(serveOnFreshDatabase)
const manage = manageOverHttp(service)

const statisticsOf = async (objectType: string): Promise<ObjectTypeStatistics> => {
  const { status, json } = await manage.request('GET', `objectTypes/${objectType}/statistics`)
  expect(status, JSON.stringify(json)).toBe(200)
  expect(Compile(objectTypeStatisticsSchema).Check(json), JSON.stringify(json)).toBe(true)
  return json as ObjectTypeStatistics
}

it('P286: objects, sizes and indexes are those that the database has', async () => {
  const { type } = await loadItems(service.store, service.ontology, 3_000, 'held')
  await putItems(
    service.store,
    type,
    items(1_500).map((item) => ({ ...item, rank: -1 })),
  )
  const { database } = service.store
  const before = await statisticsOf('held')
  const [sizes] = await database.rows({
    text: `select pg_total_relation_size('${type.tables.current}') as current, pg_total_relation_size('${type.tables.history}') as history, pg_total_relation_size('${type.tables.changes}') as changes`,
    values: [],
  })
  expect(before).toMatchObject({
    objectType: 'held',
    objectCount: 3_000,
    version: '2',
    retentionSeconds: 3_600,
    oldestReadable: { version: '0' },
    current: { byteCount: Number(sizes?.['current']) },
    history: { byteCount: Number(sizes?.['history']) },
    changes: { byteCount: Number(sizes?.['changes']) },
  })
  expect(before.indexes.map(({ kind, fields }) => [kind, ...fields.map(({ field }) => field)])).toEqual([
    ['primaryKey', 'id'],
    ['order', 'rank'],
    ['order', 'label'],
  ])
  for (const { byteCount, fields } of before.indexes)
    expect(byteCount, JSON.stringify(fields)).toBeGreaterThan(8_192)
  const inIndexes = before.indexes.reduce((sum, { byteCount = 0 }) => sum + byteCount, 0)
  expect(inIndexes).toBeLessThan((before.current?.byteCount ?? 0) + (before.history?.byteCount ?? 0))
})

it('P286: an index that is used is counted, and the answer is some seconds old at most', async () => {
  const { collection } = await loadItems(service.store, service.ontology, 2_000, 'used')
  const usesOf = async () =>
    (await statisticsOf('used')).indexes.find(({ fields }) => fields[0]?.field === 'rank')?.useCount ?? -1
  const before = await usesOf()
  const search = `/api/promised/v1/objects/types/${collection.objectType}/search`
  const ordered = { query: { type: 'empty' }, orderBy: { fields: [{ field: 'rank' }] }, pageSize: 5 }
  for (let i = 0; i < 5; i += 1) {
    const { status } = await manage.request('POST', search, ordered)
    expect(status).toBe(200)
  }
  await manage.commit([put({ id: 'new', rank: 1 })], { objectType: 'used' })
  await vi.waitUntil(async () => (await usesOf()) >= before + 5, { timeout: 30_000, interval: 500 })
  expect((await statisticsOf('used')).objectCount).toBe(2_001)
})

it('P286: a type without objects, and a parameter that it does not have', async () => {
  await service.store.applyObjectType(service.ontology, itemDefinition('none'))
  expect(await statisticsOf('none')).toMatchObject({ objectCount: 0, version: '0', current: { rowCount: 0 } })
  const { json } = await manage.request('GET', 'objectTypes/none/statistics?fresh=true')
  expect(json).toMatchObject({ errorName: 'UnknownParameter' })
})
