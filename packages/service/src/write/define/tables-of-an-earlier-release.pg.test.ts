// History without epochs, objects without hashes and types without a table of changes, as an earlier release made them, get all of
// these while they are read and written.
import { freshDatabase, type FreshDatabase } from '@octavo/dev-database/vitest'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { ObjectType } from '../../catalog/object-type.ts'
import { readObjectType } from '../../catalog/read-object-types.ts'
import type { Store } from '../../open-store.ts'
import { checksumOf } from '../../../test/support/content-checksum.ts'
import { itemDefinition, items, putItems } from '../../../test/support/load-items.ts'
import { openTestStore } from '../../../test/support/open-test-store.ts'
import { readWalk } from '../../../test/support/read-walk.ts'
import { snapshotAt } from '../../../test/support/snapshot-at.ts'

let database: FreshDatabase
let store: Store
beforeAll(async () => {
  database = await freshDatabase()
  store = openTestStore({ databaseUrl: database.url })
})
afterAll(async () => {
  await store.database.close()
  await database.drop()
})

/** Makes the history that the earlier release would have made. */
async function withoutEpochs(type: ObjectType): Promise<ObjectType> {
  const { history } = type.tables
  const run = (text: string) => store.database.run(text)
  await run(`alter table ${history} drop column epoch cascade`)
  await run(`alter table ${history} add primary key (pk, version_from)`)
  for (const { kind, keys, number } of type.indexes) {
    if (kind !== 'order') continue
    const columns = keys.map(({ column, direction }) => `${column} ${direction} nulls last`)
    await run(`create index t${type.id}_history_i${number} on ${history} (${columns.join(', ')}, pk)`)
  }
  const { rid, definition, indexes } = type
  const hash = type.columns.find(({ role }) => role === 'hash')
  for (const table of [type.tables.current, history]) {
    await run(`alter table ${table} drop column ${hash?.name}`)
    // Its properties are in another order.
    await run(
      String.raw`update ${table} set scalars = regexp_replace(scalars, '^("id":"[^"]*"),(.*)$', '\2,\1')`,
    )
  }
  const columns = type.columns.filter((column) => column !== hash)
  await store.database.rows({
    text: `update ${type.schema}.object_types set stored = $1 where id = $2`,
    values: [JSON.stringify({ rid, definition, columns, indexes }), type.id],
  })
  await run(`drop table ${type.tables.changes}`)
  await run(
    `update ${type.schema}.clock set epoch_version = -1, checksum = 0, checksum_version = -1, checksum_from = null, changes_version = -1 where object_type = ${type.id}`,
  )
  await run(`update ${type.schema}.commits set epoch = null where object_type = ${type.id}`)
  await run(`update ${type.schema}.commits set checksum = null where object_type = ${type.id}`)
  return { ...type, columns, epochs: undefined, changes: undefined }
}

const ranksAt = async (type: ObjectType, version: string) => {
  const walk = await readWalk({
    readRows: store.readRows,
    type,
    order: [{ property: 'rank', direction: 'desc' }],
    at: await snapshotAt(store, type, version),
    pageSize: () => 7,
  })
  return walk.objects.map(({ properties }) => properties['rank'])
}

it('versions from before, from meanwhile and from after are read whole', async () => {
  const ontology = await store.applyOntology({ apiName: 'earlier', displayName: 'Earlier' })
  const made = await store.applyObjectType(ontology, itemDefinition('item'))
  await putItems(store, made, items(30))
  let type = await withoutEpochs(made)
  const put = (rank: number) =>
    putItems(
      store,
      type,
      items(30).map((item) => ({ ...item, rank })),
    )
  const round = (rank: number) => Array.from({ length: 30 }, () => rank)
  await put(102)
  await put(103)
  expect(await ranksAt(type, '2')).toEqual(round(102))

  await store.finishAbandoned(type)
  const found = await readObjectType(store.database, type.schema, type.apiName)
  expect(found?.epochs).toBe('read')
  // A commit under the definition from before is refused, so no row can miss its epoch.
  await expect(put(200)).rejects.toThrow()
  type = found ?? type
  await put(104)
  await put(105)
  for (const version of [2, 3, 4, 5])
    expect(await ranksAt(type, String(version))).toEqual(round(100 + version))
  const indexes = await store.database.rows({
    text: `select indexname from pg_indexes where schemaname = $1 and indexname ~ '_history_[ei][0-9]+$' order by 1`,
    values: [type.schema],
  })
  // Those of the earlier release stay, for its instances that still run.
  expect(indexes.map(({ indexname: name }) => name)).toEqual(
    type.indexes.flatMap(({ number }) => [`t1_history_e${number}`, `t1_history_i${number}`]).toSorted(),
  )
  // The objects from before are hashed too, so the checksum is known.
  const { objects } = await readWalk({ readRows: store.readRows, type, record: 'found', pageSize: () => 7 })
  const [commit] = await store.database.rows({
    text: `select checksum from ${type.tables.commits} where object_type = $1 order by version desc limit 1`,
    values: [type.id],
  })
  expect(BigInt(commit?.['checksum'] ?? -1)).toBe(BigInt(`0x${checksumOf(objects)}`))
  // Changes are remembered from the first commit on that is made with the new definition.
  const remembered = await store.database.rows({
    text: `select changes_from, changes_version, (select count(*) from ${type.tables.changes}) as rows from ${type.tables.clock} where object_type = $1`,
    values: [type.id],
  })
  expect(remembered).toEqual([{ changes_from: '3', changes_version: '5', rows: '60' }])
  // Doing it again changes nothing.
  await store.finishAbandoned(type)
  expect(await readObjectType(store.database, type.schema, type.apiName)).toEqual(type)
})
