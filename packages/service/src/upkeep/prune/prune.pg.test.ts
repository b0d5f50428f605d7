import { forEachTest } from '@octavo/dev-database/vitest'
import { beforeEach, expect, it } from 'vitest'
import { pagePlanOf } from '../../../test/support/page-plan-of.ts'
import { employeeDefinition } from '../../../test/support/employee.ts'
import { letTimePass } from '../../../test/support/let-time-pass.ts'
import { putObject } from '../../../test/support/put-object.ts'
import { readWalk } from '../../../test/support/read-walk.ts'
import { SnapshotNotReadable } from '../../read/rows/state/page-clock.ts'
import { snapshotAt } from '../../../test/support/snapshot-at.ts'
import { nextOntology, withStore } from '../../../test/support/with-store.ts'
import type { ObjectType } from '../../catalog/object-type.ts'
import { pruneKeys } from './prune-keys.ts'

const { store } = withStore()
// One ontology for each test, so that no test sees what another one wrote.
const ontology = forEachTest(() => nextOntology(store))
let type: ObjectType
beforeEach(async () => {
  type = await store.applyObjectType(ontology, employeeDefinition)
})
let seconds = 0

/** Sets the test's time. Real time passes too, some seconds in a test, so no check here depends on less than twenty seconds. */
const itIs = async (second: number): Promise<void> => {
  await letTimePass(store, type, second - seconds)
  seconds = second
}
const times = { retentionSeconds: 600, settleSeconds: 60, commitsKeptSeconds: 3_600 }

beforeEach(() => {
  seconds = 0
})

const commit = (age: number, keys: readonly string[] = ['a', 'b']) =>
  store.commit({
    parts: [{ type, changes: keys.map((employeeId) => putObject(type, { employeeId, badge: '1', age })) }],
  })
const prune = () => store.prune(type, times)
const count = async (table: string) =>
  Number((await store.database.rows({ text: `select count(*) as n from ${table}`, values: [] }))[0]?.['n'])
const pageAt = async (version: string) =>
  store.readPage(pagePlanOf(type, { at: await snapshotAt(store, type, version) }))
const agesAt = async (version: string) => {
  const walk = await readWalk({
    readPage: store.readPage,
    type,
    pageSize: () => 1,
    at: await snapshotAt(store, type, version),
  })
  return walk.objects.map(({ properties }) => properties['age'])
}
const floor = async () => {
  const text = `select floor from ${type.tables.clock} where object_type = ${type.id}`
  return Number((await store.database.rows({ text, values: [] }))[0]?.['floor'])
}

it('a version is kept for the retention after the next one was made, and is refused afterwards', async () => {
  await commit(1)
  await itIs(100)
  await commit(2)
  // Version 1 could be captured until second 100, so it is kept until second 700.
  await itIs(670)
  await prune()
  expect(await floor()).toBe(1)
  expect(await agesAt('1')).toEqual([1, 1])
  await itIs(759)
  await prune()
  expect(await floor()).toBe(2)
  await expect(pageAt('1')).rejects.toThrow(SnapshotNotReadable)
  expect(await agesAt('2')).toEqual([2, 2])
})

it('the floor rises and rows go as in the worked example of the README', async () => {
  await commit(1)
  await itIs(100)
  await commit(2)
  const seen: (readonly [time: number, historyRows: number, floor: number])[] = []
  for (const time of [570, 600, 700, 730, 760]) {
    await itIs(time)
    const { historyRows } = await prune()
    seen.push([time, historyRows, await floor()])
  }
  expect(seen).toEqual([
    [570, 0, 0],
    [600, 0, 1],
    [700, 0, 2],
    [730, 0, 2],
    [760, 2, 2],
  ])
})

it('the newest version is never below the floor, however old it is', async () => {
  await commit(1)
  await itIs(1_000_000)
  await prune()
  expect(await floor()).toBe(1)
  expect(await agesAt('1')).toEqual([1, 1])
})

it('what the floor has passed is deleted only when the floor has settled', async () => {
  await commit(1)
  await commit(2)
  await itIs(700)
  expect(await prune()).toEqual({ historyRows: 0, commits: 0 })
  expect(await floor()).toBe(2)
  await itIs(730)
  expect(await prune()).toEqual({ historyRows: 0, commits: 0 })
  expect(await count(type.tables.history)).toBe(2)
  await itIs(760)
  expect(await prune()).toEqual({ historyRows: 2, commits: 0 })
  expect(await count(type.tables.history)).toBe(0)
})

it('the floor rises at most once while it settles, so that there is always a time at which it has', async () => {
  await commit(1)
  await itIs(30)
  await commit(2)
  await itIs(601)
  await prune()
  expect(await floor()).toBe(1)
  await itIs(630)
  await prune()
  expect(await floor()).toBe(1)
  await itIs(661)
  await prune()
  expect(await floor()).toBe(2)
})

it('nothing that can still be read is deleted', async () => {
  for (let age = 1; age <= 10; age += 1) {
    await commit(age, age % 2 === 0 ? ['a'] : ['a', 'b'])
    await itIs(seconds + 100)
  }
  const before = new Map<string, unknown>()
  for (let version = 0; version <= 10; version += 1)
    before.set(String(version), await agesAt(String(version)))
  for (const step of [0, 100, 100, 100, 300, 100, 5_000, 100]) {
    await itIs(seconds + step)
    await prune()
    const lowest = await floor()
    for (let version = lowest; version <= 10; version += 1) {
      expect(await agesAt(String(version)), `version ${version} at floor ${lowest}`).toEqual(
        before.get(String(version)),
      )
    }
  }
  expect(await floor()).toBe(10)
  expect(await count(type.tables.history)).toBe(0)
})

it('commits outlive the versions they made, and are kept as long as asked', async () => {
  const idempotency = { key: 'k', digest: 'd' }
  const first = await store.commit({ parts: [{ type, changes: [] }], idempotency })
  await commit(1)
  await commit(2)
  await itIs(700)
  await prune()
  await itIs(3_570)
  expect(await prune()).toEqual({ historyRows: 2, commits: 0 })
  expect(await store.commit({ parts: [{ type, changes: [] }], idempotency })).toEqual({
    ...first,
    committedAt: expect.any(String),
    replayed: true,
  })
  await itIs(3_600)
  // Versions 0, 1 and 2 are deleted; 3 is the floor, so it can be read.
  expect(await prune()).toEqual({ historyRows: 0, commits: 3 })
  expect((await pageAt('3')).clock.tag).toMatch(/^[0-9a-f]{16}$/)
  expect((await snapshotAt(store, type, '2')).tag).toBe('none')
})

it('more rows than one portion are deleted in one run, by several instances at once, each row once', async () => {
  const keys = Array.from({ length: 6_500 }, (_, i) => `k${i}`)
  await commit(1, keys)
  await commit(2, keys)
  await commit(3, keys.slice(0, 10))
  await itIs(700)
  await prune()
  await itIs(800)
  const runs = await Promise.all([prune(), prune(), prune()])
  expect(runs.reduce((total, run) => total + run.historyRows, 0)).toBe(6_510)
  expect(await count(type.tables.history)).toBe(0)
  expect(await count(type.tables.current)).toBe(6_500)
})

it('types do not share a floor', async () => {
  const other = await store.applyObjectType(ontology, { ...employeeDefinition, apiName: 'other' })
  await store.commit({ parts: [{ type: other, changes: [] }] })
  await commit(1)
  await commit(2)
  await itIs(700)
  await prune()
  await itIs(800)
  await prune()
  const { text, values } = {
    text: `select object_type, floor from ${type.tables.clock} order by 1`,
    values: [],
  }
  expect(await store.database.rows({ text, values })).toEqual([
    { object_type: String(type.id), floor: '2' },
    { object_type: String(other.id), floor: '0' },
  ])
})

it('a key is forgotten before its commits are', async () => {
  const idempotency = { key: 'k', digest: 'd' }
  await store.commit({ parts: [{ type, changes: [] }], idempotency })
  const other = await store.applyObjectType(ontology, { ...employeeDefinition, apiName: 'other' })
  const again = () => store.commit({ parts: [{ type: other, changes: [] }], idempotency })
  expect(await pruneKeys(store.database, ontology, 3_600)).toBe(0)
  await expect(again()).rejects.toMatchObject({ errorName: 'IdempotencyKeyConflict' })
  expect(await pruneKeys(store.database, ontology, 0)).toBe(1)
  expect(await again()).toMatchObject({ version: '1', replayed: false })
})
