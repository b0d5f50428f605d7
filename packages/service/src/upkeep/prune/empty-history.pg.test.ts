// A history that has expired whole is emptied at once.
import { forEachTest } from '@octavo/dev-database/vitest'
import { beforeEach, expect, it } from 'vitest'
import { letTimePass } from '../../../test/support/let-time-pass.ts'
import { putItems } from '../../../test/support/load-items.ts'
import { readWalk } from '../../../test/support/read-walk.ts'
import { snapshotAt } from '../../../test/support/snapshot-at.ts'
import { withStore, nextOntology } from '../../../test/support/with-store.ts'
import type { ObjectType } from '../../catalog/object-type.ts'
import { defineType } from '../../../test/support/define-type.ts'

const objects = 10_001
const ids = Array.from({ length: objects }, (_, id) => id)
const times = { retentionSeconds: 600, settleSeconds: 60, commitsKeptSeconds: 3_600 }

const { store } = withStore()
const ontology = forEachTest(() => nextOntology(store))
let type: ObjectType
beforeEach(async () => {
  type = await store.applyObjectType(
    ontology,
    defineType('item', { id: 'integer', round: 'integer' }, { displayName: 'Item' }),
  )
})

beforeEach(async () => {
  for (const round of [1, 2]) {
    await putItems(
      store,
      type,
      ids.map((id) => ({ id, round })),
    )
  }
})

const prune = () => store.prune(type, times)
/** Another number after the table was truncated. */
const file = async () => {
  const [row] = await store.database.rows({
    text: 'select pg_relation_filenode($1::regclass) as file',
    values: [type.tables.history],
  })
  return row?.['file']
}
const rows = async () => {
  const [row] = await store.database.rows({
    text: `select count(*) as n from ${type.tables.history}`,
    values: [],
  })
  return Number(row?.['n'])
}
const newest = async () => {
  const [row] = await store.database.rows({
    text: `select version from ${type.tables.clock} where object_type = $1`,
    values: [type.id],
  })
  return snapshotAt(store, type, row?.['version'] ?? '')
}
const roundsAt = async (at: Awaited<ReturnType<typeof newest>>) => {
  const walk = await readWalk({ readPage: store.readPage, type, at, pageSize: () => 1_000 })
  return walk.objects.map(({ properties }) => properties['round'])
}

it('a history of which no row can be read is emptied, once the floor has settled', async () => {
  const before = await file()
  const at = await newest()
  await letTimePass(store, type, 700)
  expect((await prune()).historyRows).toBe(0)
  await letTimePass(store, type, 100)
  expect((await prune()).historyRows).toBeGreaterThanOrEqual(10_000)
  expect(await rows()).toBe(0)
  // On Citus the rows are deleted one by one.
  expect((await file()) !== before).toBe(!store.database.isCitus())
  expect(await roundsAt(at)).toEqual(ids.map(() => 2))
})

it('P36: a history with one row that can be read is not emptied', async () => {
  const before = await file()
  await letTimePass(store, type, 700)
  await prune()
  const at = await newest()
  await putItems(store, type, [{ id: 7, round: 3 }])
  await letTimePass(store, type, 100)
  expect((await prune()).historyRows).toBe(objects)
  expect(await rows()).toBe(1)
  expect(await file()).toBe(before)
  expect(await roundsAt(at)).toEqual(ids.map(() => 2))
})

it('a reader that takes long is not waited for: the rows are deleted one by one', async () => {
  const before = await file()
  await letTimePass(store, type, 700)
  await prune()
  await letTimePass(store, type, 100)
  await store.database.transaction(async (transaction) => {
    await transaction.rows({ text: `select 1 from ${type.tables.history} limit 1`, values: [] })
    expect((await prune()).historyRows).toBe(objects)
  })
  expect(await file()).toBe(before)
  expect(await rows()).toBe(0)
})
