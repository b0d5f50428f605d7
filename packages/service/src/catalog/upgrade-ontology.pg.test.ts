import { freshDatabase, type FreshDatabase } from '@octavo/dev-database/vitest'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { migrateDatabase } from '../build-service.ts'
import type { ObjectType } from './object-type.ts'
import type { Store } from '../open-store.ts'
import { itemDefinition, loadItems, putItems } from '../../test/support/load-items.ts'
import { openTestStore } from '../../test/support/open-test-store.ts'

let database: FreshDatabase
let store: Store
beforeEach(async () => {
  database = await freshDatabase()
  store = openTestStore({ databaseUrl: database.url })
})
afterEach(async () => {
  await store.database.close()
  await database.drop()
})

/** Recreates what the previous release made, by removing what this one adds. */
async function downgrade(schema: string): Promise<void> {
  for (const statement of [
    `alter table ${schema}.catalog_version drop column tag`,
    `alter table ${schema}.object_types drop column revision_tag`,
    `alter table ${schema}.clock drop column revision_tag`,
    `drop table ${schema}.staged_batches`,
    `drop table ${schema}.audit`,
    `drop table ${schema}.idempotency_keys`,
    `drop table ${schema}.loads`,
    `drop table ${schema}.load_parts`,
    `update octavo.ontologies set layout = 1 where schema_name = '${schema}'`,
  ]) {
    await store.database.run(statement)
  }
}

const tablesOf = (schema: string) =>
  store.database.rows({
    text: `select table_name, column_name, data_type, is_nullable, column_default
from information_schema.columns where table_schema = $1 order by table_name, column_name`,
    values: [schema],
  })

it('an older ontology gets the tables that a new one has, and its objects stay', async () => {
  const old = await store.applyOntology({ apiName: 'old', displayName: 'Old' })
  await loadItems(store, old, 3, 'item')
  const made = await tablesOf(old.schema)
  await downgrade(old.schema)
  expect(await tablesOf(old.schema)).not.toEqual(made)
  await migrateDatabase(database.url, () => {})
  expect(await tablesOf(old.schema)).toEqual(made)
  const [type] = await store.catalog.objectTypes(old)
  if (type === undefined) throw new Error('the type is gone')
  await putItems(store, type, [{ id: 'after', rank: 1 }])
})

it('P135: the keys of an older ontology still identify their batches in the newest layout', async () => {
  const old = await store.applyOntology({ apiName: 'old', displayName: 'Old' })
  const [one, two] = [
    await store.applyObjectType(old, itemDefinition('one')),
    await store.applyObjectType(old, itemDefinition('two')),
  ]
  const commit = (type: ObjectType) =>
    store.commit({ parts: [{ type, changes: [] }], idempotency: { key: 'k', digest: type.apiName } })
  const first = await commit(one)
  await downgrade(old.schema)
  await migrateDatabase(database.url, () => {})
  const refreshed = new Map((await store.catalog.objectTypes(old)).map((type) => [type.apiName, type]))
  const typeNamed = (name: string) => {
    const type = refreshed.get(name)
    if (type === undefined) throw new Error(`${name} is gone`)
    return type
  }
  await expect(commit(typeNamed(two.apiName))).rejects.toMatchObject({ errorName: 'IdempotencyKeyConflict' })
  expect(await commit(typeNamed(one.apiName))).toEqual({ ...first, replayed: true })
})

it('one that the last release made after the migration is upgraded when it is first seen', async () => {
  const late = await store.applyOntology({ apiName: 'late', displayName: 'Late' })
  await loadItems(store, late, 3, 'item')
  await downgrade(late.schema)
  const other = openTestStore({ databaseUrl: database.url })
  try {
    const found = await other.catalog.ontology(late.rid)
    if (found === undefined) throw new Error('the ontology is gone')
    expect((await other.catalog.objectTypes(found)).map(({ apiName }) => apiName)).toEqual(['item'])
  } finally {
    await other.database.close()
  }
})

it('any number of processes may upgrade at once', async () => {
  const old = await store.applyOntology({ apiName: 'old', displayName: 'Old' })
  const made = await tablesOf(old.schema)
  await downgrade(old.schema)
  await Promise.all([1, 2, 3, 4].map(() => migrateDatabase(database.url, () => {})))
  expect(await tablesOf(old.schema)).toEqual(made)
})
