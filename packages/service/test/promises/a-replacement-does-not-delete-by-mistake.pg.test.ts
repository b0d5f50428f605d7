import { forAllTests } from '@octavo/dev-database/vitest'
import { expect, it } from 'vitest'
import { itemDefinition } from '../support/load-items.ts'
import { manageOverHttp, merge, put, remove } from '../support/manage-over-http.ts'
import { serveOnFreshDatabase } from '../support/serve-on-fresh-database.ts'
import { errorNamed, errorWith } from '../support/named-errors.ts'

const service = forAllTests(serveOnFreshDatabase)
const manage = manageOverHttp(service)
let made = 0

const objects = (count: number, from = 0) =>
  Array.from({ length: count }, (_, i) =>
    put({ id: `i${String(from + i).padStart(5, '0')}`, rank: i + from }),
  )

/** A type with this many objects. */
const typeOf = async (count: number): Promise<string> => {
  const objectType = `kept${(made += 1)}`
  await service.store.applyObjectType(service.ontology, itemDefinition(objectType))
  await manage.commit(objects(count), { objectType })
  return objectType
}

/** Everything that a commit leaves behind. */
const traces = async (objectType: string) => {
  const type = await service.store.catalog.objectType(service.ontology, objectType)
  const rows = (table: string) =>
    service.store.database.holding(type?.schema ?? '').rows({ text: `select * from ${table}`, values: [] })
  const { schema = '', tables } = type ?? {}
  return Promise.all(
    [
      ...[tables?.current, tables?.history, tables?.clock, tables?.commits, tables?.staged].map(String),
      `${schema}.staged_batches`,
      `${schema}.idempotency_keys`,
      `${schema}.audit`,
    ].map(rows),
  )
}

it('P209: a replacement that deletes more than a tenth is refused, says what it would delete, and changes nothing', async () => {
  const objectType = await typeOf(200)
  const before = await traces(objectType)
  expect(
    await manage.refused(objects(179, 21), { objectType, kind: 'replace', key: 'refused' }),
  ).toMatchObject(
    errorWith(409, 'TooManyDeletions', { objectType, deleted: 21, objectCount: 200, maxDeletions: 20 }),
  )
  expect(await traces(objectType)).toEqual(before)
  expect(
    await manage.commit(objects(180, 20), { objectType, kind: 'replace', key: 'refused' }),
  ).toMatchObject({ deleted: 20, unchanged: 180 })
})

it('P209: the caller sets another limit, as a number or a percentage', async () => {
  const objectType = await typeOf(30)
  const replace = { objectType, kind: 'replace' } as const
  expect(await manage.refused(objects(26), replace)).toMatchObject({ parameters: { maxDeletions: 3 } })
  for (const [maxDeletions, allowed] of [
    ['0', 0],
    ['4', 4],
    ['0%', 0],
    ['15%', 4],
  ] as const) {
    expect(await manage.refused(objects(25), { ...replace, maxDeletions })).toMatchObject(
      errorNamed('TooManyDeletions', { deleted: 5, objectCount: 30, maxDeletions: allowed }),
    )
  }
  expect(await manage.commit(objects(25), { ...replace, maxDeletions: '5' })).toMatchObject({ deleted: 5 })
  expect(await manage.commit(objects(15), { ...replace, maxDeletions: '40%' })).toMatchObject({ deleted: 10 })
  expect(await manage.commit(objects(1), { ...replace, maxDeletions: '100%' })).toMatchObject({ deleted: 14 })
  await manage.commit(objects(5), { objectType })
  expect(await manage.refused(objects(3), replace)).toMatchObject({ parameters: { maxDeletions: 1 } })
  expect(await manage.commit(objects(4), replace)).toMatchObject({ deleted: 1 })
  for (const maxDeletions of ['-1', '101%', 'all', '1.5', '']) {
    expect(await manage.refused(objects(1), { ...replace, maxDeletions })).toMatchObject(
      errorNamed('InvalidParameterValue', { parameterId: 'maxDeletions' }),
    )
  }
  expect(await manage.refused(objects(1), { objectType, maxDeletions: '5' })).toMatchObject({
    errorName: 'UnknownParameter',
  })
})

it('P209: a replacement that was made before is answered with its receipt, whatever it would delete now', async () => {
  const objectType = await typeOf(1)
  const first = await manage.commit(objects(1), { objectType, kind: 'replace', key: 'again' })
  await manage.commit(objects(100), { objectType })
  expect(await manage.commit(objects(1), { objectType, kind: 'replace', key: 'again' })).toEqual({
    ...first,
    replayed: true,
  })
})

it('P210: a dry run says what would change, of a replacement and of a batch, and leaves no trace', async () => {
  const objectType = await typeOf(40)
  const before = await traces(objectType)
  const replaced = [...objects(9), put({ id: 'i00009', rank: 1_000 }), put({ id: 'new' }), put({ id: 'new' })]
  expect(
    await manage.preview(replaced, { objectType, kind: 'replace', key: 'dry', maxDeletions: '75%' }),
  ).toEqual({ dryRun: true, created: 1, updated: 1, unchanged: 9, deleted: 30 })
  await expect(manage.preview(replaced, { objectType, kind: 'replace' })).rejects.toThrow('TooManyDeletions')
  const lines = [
    put({ id: 'new' }),
    put({ id: 'i00001', rank: 1 }),
    merge({ id: 'i00002', label: 'two' }),
    merge({ id: 'i00003', rank: 3 }),
    merge({ id: 'newer', rank: 3 }),
    remove('i00004'),
    remove('none'),
  ]
  const counts = { dryRun: true, created: 2, updated: 1, unchanged: 3, deleted: 1 }
  expect(await manage.preview(lines, { objectType, key: 'dry' })).toEqual(counts)
  expect(await traces(objectType)).toEqual(before)
  expect(await manage.commit(lines, { objectType, key: 'dry' })).toMatchObject({
    created: 2,
    updated: 1,
    unchanged: 3,
    deleted: 1,
    replayed: false,
  })
})

it('P210: a dry run of several types adds up, and refuses what the batch itself would', async () => {
  const [one, two] = [await typeOf(3), await typeOf(5)]
  const before = [await traces(one), await traces(two)]
  expect(await manage.preview([put({ id: 'x' }, one), remove('i00001', two)], {})).toEqual({
    dryRun: true,
    created: 1,
    updated: 0,
    unchanged: 0,
    deleted: 1,
  })
  await expect(manage.preview([put({ id: 'x', rank: 'high' }, one)], {})).rejects.toThrow('InvalidBatch')
  await expect(manage.preview([], { objectType: one, kind: 'replace' })).rejects.toThrow('MissingPostBody')
  expect([await traces(one), await traces(two)]).toEqual(before)
})

it('P210: a dry run waits for no writer', async () => {
  const objectType = await typeOf(3)
  const type = await service.store.catalog.objectType(service.ontology, objectType)
  await service.store.database.holding(type?.schema ?? '').transaction(async (transaction) => {
    await transaction.rows({ text: `select from ${type?.tables.clock} for update`, values: [] })
    expect(await manage.preview(objects(2), { objectType, kind: 'replace' })).toMatchObject({ deleted: 1 })
    expect(await manage.preview([merge({ id: 'x' })], { objectType })).toMatchObject({ created: 1 })
  })
})
