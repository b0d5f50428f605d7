import { expect, it } from 'vitest'
import { itemDefinition, loadItems, putItems } from '../../test/support/load-items.ts'
import { layoutSteps, newestLayout, type LayoutSteps } from './ontology-tables.ts'
import { upgradeOntologies } from './upgrade-ontology.ts'
import { withStoreForEachTest } from '../../test/support/with-store.ts'

const { store } = withStoreForEachTest()

/** What a later release may add: a column with a default, and a table. */
const newest = newestLayout()
const laterSteps: LayoutSteps = {
  ...layoutSteps,
  [newest + 1]: (schema) => [
    `alter table ${schema}.clock add column if not exists later bigint not null default 7`,
  ],
  [newest + 2]: (schema) => [`create table if not exists ${schema}.later (id integer primary key)`],
}

const rows = (text: string) => store.database.rows({ text, values: [] })

it('an older ontology gets the tables of the newest layout, and its objects stay', async () => {
  const old = await store.applyOntology({ apiName: 'old', displayName: 'Old' })
  const { type } = await loadItems(store, old, 3, 'item')
  expect(await upgradeOntologies(store.database)).toBe(0)
  expect(await upgradeOntologies(store.database, laterSteps)).toBe(1)
  expect(await rows(`select later from ${old.schema}.clock`)).toEqual([{ later: '7' }])
  expect(await rows(`select id from ${old.schema}.later`)).toEqual([])
  expect(await rows('select layout from octavo.ontologies')).toEqual([{ layout: String(newest + 2) }])
  // This release, which knows nothing of it, still writes to the ontology.
  await putItems(store, type, [{ id: 'after', rank: 1 }])
  expect(await rows(`select count(*) as objects from ${type.tables.current}`)).toEqual([{ objects: '4' }])
  expect(await upgradeOntologies(store.database, laterSteps)).toBe(0)
})

it('a step that was interrupted before it was recorded is repeated', async () => {
  const old = await store.applyOntology({ apiName: 'old', displayName: 'Old' })
  await upgradeOntologies(store.database, laterSteps)
  await rows(`update octavo.ontologies set layout = ${newest + 1}`)
  expect(await upgradeOntologies(store.database, laterSteps)).toBe(1)
  expect(await rows(`select id from ${old.schema}.later`)).toEqual([])
})

it('any number of processes may upgrade at once', async () => {
  const old = await store.applyOntology({ apiName: 'old', displayName: 'Old' })
  await store.applyObjectType(old, itemDefinition('item'))
  await Promise.all([1, 2, 3, 4].map(() => upgradeOntologies(store.database, laterSteps)))
  expect(await rows(`select later from ${old.schema}.clock`)).toEqual([{ later: '7' }])
})

it('an ontology of the first layout gets the tables of this one', async () => {
  const old = await store.applyOntology({ apiName: 'old', displayName: 'Old' })
  const { type } = await loadItems(store, old, 3, 'item')
  const tables = () =>
    rows(`select c.relname, a.attname, format_type(a.atttypid, a.atttypmod) as type, a.attnotnull
from pg_attribute a join pg_class c on c.oid = a.attrelid
where c.relnamespace = '${old.schema}'::regnamespace and c.relkind = 'r' and a.attnum > 0 and not a.attisdropped
order by c.relname, a.attname`)
  const wanted = await tables()
  await rows(`drop table ${old.schema}.sources`)
  for (const column of ['source', 'source_generation', 'source_position'])
    await rows(`alter table ${old.schema}.commits drop column ${column}`)
  await rows('update octavo.ontologies set layout = 1')
  expect(await upgradeOntologies(store.database)).toBe(1)
  expect(await tables()).toEqual(wanted)
  await putItems(store, type, [{ id: 'after', rank: 1 }])
})
