import { limits, type ObjectTypeDefinition, type PropertyDefinition } from '@octavo/protocol'
import { forEachTest } from '@octavo/dev-database/vitest'
import { expect, it } from 'vitest'
import { randomHex, randomUuid } from '../../guard/auth/random.ts'
import type { Transaction } from '../../postgres/database.ts'
import type { SqlQuery } from '../../base/sql-query.ts'
import { putObject } from '../../../test/support/put-object.ts'
import { readWalk } from '../../../test/support/read-walk.ts'
import { applyObjectType } from './apply-object-type.ts'
import type { ObjectType } from '../../catalog/object-type.ts'
import { databaseThat } from '../../../test/support/database-that.ts'
import { withStore, nextOntology } from '../../../test/support/with-store.ts'
import { checkStoredObjects } from './check-stored-objects.ts'
import { defineType, inOrder } from '../../../test/support/define-type.ts'

const { store } = withStore()
const ontology = forEachTest(() => nextOntology(store))

const base = defineType('doc', {
  id: 'string',
  text: 'string',
  readers: 'string[]',
  code: 'string sortable',
  place: 'string sortable',
})
const withProperty = (name: string, property: PropertyDefinition): ObjectTypeDefinition => ({
  ...base,
  properties: { ...base.properties, [name]: property },
})
const byCodeAndPlace: ObjectTypeDefinition = { ...base, orders: [inOrder('code asc', 'place desc')] }
const searchableReaders = withProperty('readers', { type: { array: 'string' }, searchable: true })
const apply = (definition: ObjectTypeDefinition) => store.applyObjectType(ontology, definition)
const commit = (type: ObjectType, objects: readonly Record<string, unknown>[]) =>
  store.commit({ parts: [{ type, changes: objects.map((object) => putObject(type, object)) }] })
const rows = (text: string) => store.database.rows({ text, values: [] })
const indexes = async () =>
  (await rows(`select indexname as name from pg_indexes where schemaname = '${ontology.schema}'`)).map(
    ({ name }) => name,
  )
const refusal = (problems: readonly unknown[]) => ({
  errorName: 'IncompatibleDefinition',
  parameters: { objectType: 'doc', problems: problems.map((problem) => ({ problem })) },
})

const kib256 = limits.value.searchableStringBytes
const k = 'k'.repeat(1_000)

it.each<[string, ObjectTypeDefinition, Record<string, unknown>, Record<string, unknown>, string]>([
  [
    'searchable',
    withProperty('text', { type: 'string', searchable: true }),
    { text: 'x'.repeat(kib256) },
    { text: 'x'.repeat(kib256 + 1) },
    `Property text of the stored object "no" must be at most ${kib256} bytes of UTF-8, because it is searchable; this has ${kib256 + 1}. Change that object first.`,
  ],
  [
    'a searchable array',
    searchableReaders,
    { readers: [k, 'x'] },
    { readers: ['x', `${k}k`] },
    'Property readers of the stored object "no" must be at most 1000 bytes of UTF-8, because the values of a searchable array are looked up whole; this has 1001. Change that object first.',
  ],
  [
    'sortable',
    withProperty('text', { type: 'string', sortable: true }),
    { text: k },
    { text: `${k}é` },
    'Property text of the stored object "no" must be at most 1000 bytes of UTF-8, because pages are ordered by it; this has 1002. Change that object first.',
  ],
  [
    'part of an order with others',
    byCodeAndPlace,
    { code: k, place: k },
    { id: `no${'o'.repeat(599)}`, code: k, place: k },
    `Property code of the stored object "no${'o'.repeat(599)}" must be at most 2600 bytes of UTF-8 together with place, the primary key, because pages are ordered by them; these have 2601. Change that object first.`,
  ],
  [
    'required',
    withProperty('text', { type: 'string', required: true }),
    { text: '' },
    {},
    'Property text of the stored object "no" must have a value. Change that object first.',
  ],
])(
  'P195: a property becomes %s only if every stored object allows it',
  async (_what, definition, fits, doesNot, sentence) => {
    const before = await apply(base)
    await commit(before, [{ id: 'yes', ...fits }])
    await commit(before, [{ id: 'no', ...doesNot }])
    await expect(checkStoredObjects(store.database, before, definition)).rejects.toMatchObject(
      refusal([sentence]),
    )
    const had = await indexes()
    await expect(apply(definition)).rejects.toMatchObject(refusal([sentence]))
    expect(await store.catalog.objectTypes(ontology)).toEqual([before])
    expect(await indexes()).toEqual(had)

    const { id } = { id: 'no', ...doesNot }
    const changes = [{ kind: 'delete', key: id } as const]
    await store.commit({ parts: [{ type: before, changes }] })
    // Snapshot walks can still read it.
    await expect(apply(definition)).rejects.toMatchObject(
      refusal([expect.stringContaining(`of an earlier state of the object ${JSON.stringify(id)} must`)]),
    )
    await rows(`delete from ${before.tables.history}`)
    await checkStoredObjects(store.database, before, definition)
    const after = await apply(definition)
    expect(after.indexes.every(({ ready }) => ready)).toBe(true)
    expect(after.columns.every(({ filled }) => filled)).toBe(true)
  },
)

it('P195: a property that is required can be added while nothing is stored', async () => {
  const definition = withProperty('size', { type: 'integer', required: true })
  const before = await apply(base)
  const after = await apply(definition)
  expect(after.revision).toBeGreaterThan(before.revision)
  await commit(after, [{ id: 'a', size: 1 }])
  await expect(
    apply({
      ...definition,
      properties: { ...definition.properties, colour: { type: 'string', required: true } },
    }),
  ).rejects.toMatchObject(
    refusal(['Property colour of the stored object "a" must have a value. Change that object first.']),
  )
})

it('P195: what became too long while nobody searched it is found, although its column is there', async () => {
  await apply(searchableReaders)
  const plain = await apply(base)
  await commit(plain, [{ id: 'a', readers: ['x'.repeat(3_000)] }])
  await expect(apply(searchableReaders)).rejects.toMatchObject(
    refusal([expect.stringContaining('this has 3000')]),
  )
  expect(await store.catalog.objectTypes(ontology)).toEqual([plain])
})

it('P195, P390: up to 20 objects are named, also where all of them are more than is read at a time', async () => {
  const before = await apply(base)
  for (let i = 10; i < 40; i += 1) {
    await commit(before, [{ id: `o${i}`, text: 'x'.repeat(1_000_000), readers: [`${k}${i}`] }])
  }
  const error = await apply(searchableReaders).catch((thrown: unknown) => thrown)
  const { problems } = (error as { parameters: { problems: { primaryKey: string }[] } }).parameters
  const named = problems.map(({ primaryKey }) => primaryKey)
  expect(named.length).toBeGreaterThan(3)
  expect(named).toEqual(named.map((_, i) => `o${i + 10}`))
})

/** The store's database, which runs `work` just before the definition is saved. */
const interruptedBefore = (work: () => Promise<void>, seen: SqlQuery[]) => {
  let done = false
  return databaseThat(store.database, {
    transaction: <T>(saving: (transaction: Transaction) => Promise<T>): Promise<T> =>
      store.database.transaction(async (transaction) => {
        if (!done) {
          done = true
          await work()
        }
        const watched = {
          ...transaction,
          rows: (query: SqlQuery) => {
            if (query.text.includes('version_from >')) seen.push(query)
            return transaction.rows(query)
          },
        }
        return saving(watched)
      }),
  })
}
// In this test no other process competes for the lock.
const exclusively = Object.assign(<T>(_name: string, work: () => Promise<T>) => work(), {
  ifFree: <T>(_name: string, work: () => Promise<T>): Promise<T | undefined> => work(),
})

it.each(['current', 'history'] as const)(
  'P195: an object that is written after the check is found before the definition is saved (%s)',
  async (side) => {
    const before = await apply(base)
    await commit(
      before,
      Array.from({ length: 3_000 }, (_, i) => ({ id: `o${i}`, readers: ['x'] })),
    )
    await rows(`analyze ${before.tables.current}`)
    const seen: SqlQuery[] = []
    const plans: (string | null | undefined)[] = []
    const slow = interruptedBefore(async () => {
      await commit(before, [{ id: 'o7', readers: [`${k}k`] }])
      if (side === 'history') await commit(before, [{ id: 'o7', readers: [] }])
    }, seen)
    const explaining = {
      ...slow,
      run: async (text: string) => {
        // The index is about to be dropped.
        if (text.startsWith('drop index') && seen.length > 0) {
          for (const { text: asked, values } of seen.splice(0)) {
            const plan = await store.database
              .holding(before.schema)
              .rows({ text: `explain ${asked}`, values })
            plans.push(plan.map((row) => row['QUERY PLAN']).join('\n'))
          }
        }
        await store.database.run(text)
      },
    }
    const sources = { database: explaining, exclusively, now: () => new Date(), randomHex, randomUuid }
    await expect(applyObjectType(sources, ontology, { definition: searchableReaders })).rejects.toMatchObject(
      refusal([expect.stringMatching(/object "o7" must .* this has 1001/)]),
    )
    expect(await store.catalog.objectTypes(ontology)).toEqual([before])
    // Writers wait during this check, so only new rows are read.
    expect(plans.length).toBeGreaterThan(0)
    for (const plan of plans) {
      expect(plan).toMatch(/Index Scan using t1_(current|history)_i0/)
      expect(plan).toMatch(/Index Cond: .*version_from > /)
    }
    expect((await indexes()).filter((name) => name?.endsWith('_i0'))).toEqual([])
  },
)

it('P195: if the type is changed during the check, everything is checked again', async () => {
  await apply(searchableReaders)
  const before = await apply(base)
  let plain: ObjectType | undefined
  // While this change asks for searchable readers, another process makes them searchable, undoes that, and writes a long one.
  const slow = interruptedBefore(async () => {
    await apply(searchableReaders)
    plain = await apply({ ...base, displayName: 'Another' })
    await commit(plain, [{ id: 'a', readers: [`${k}k`] }])
  }, [])
  const sources = { database: slow, exclusively, now: () => new Date(), randomHex, randomUuid }
  await expect(applyObjectType(sources, ontology, { definition: searchableReaders })).rejects.toMatchObject(
    refusal([expect.stringContaining('this has 1001')]),
  )
  expect(before.revision).toBeLessThan(plain?.revision ?? 0)
  expect(await store.catalog.objectTypes(ontology)).toEqual([plain])
})

it('a property that becomes required has a value in every state that a snapshot walk can reach', async () => {
  const before = await apply(withProperty('size', { type: 'integer', sortable: true }))
  await commit(before, [{ id: 'a', size: 1 }, { id: 'b', size: 2 }, { id: 'c' }])
  await commit(before, [{ id: 'c', size: 3 }])
  const required = withProperty('size', { type: 'integer', sortable: true, required: true })
  await expect(apply(required)).rejects.toMatchObject(
    refusal([expect.stringContaining('of an earlier state of the object "c" must have a value')]),
  )
  const [commit1] = await store.database.rows({
    text: `select tag from ${before.tables.commits} where object_type = $1 and version = 1`,
    values: [before.id],
  })
  // If the change had been accepted, pages would no longer look for objects without a value, and would miss this one.
  const walk = await readWalk({
    readPage: store.readPage,
    type: (await store.catalog.objectType(ontology, 'doc')) ?? before,
    order: [{ property: 'size', direction: 'asc' }],
    pageSize: () => 1,
    at: { kind: 'snapshot', version: '1', tag: commit1?.['tag'] ?? '' },
  })
  expect(walk.objects.map((object) => object['primaryKey'])).toEqual(['a', 'b', 'c'])
})
