import { freshDatabase, type FreshDatabase } from '@octavo/dev-database/vitest'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import type { ObjectType } from '../catalog/object-type.ts'
import type { Ontology } from '../catalog/ontology.ts'
import type { Store } from '../open-store.ts'
import { chooseOrder } from '../plan/choose-order.ts'
import { employeeDefinition } from '../testing/employee.ts'
import { openTestStore } from '../testing/open-test-store.ts'
import { putObject } from '../testing/put-object.ts'
import { readWalk } from '../testing/read-walk.ts'

let database: FreshDatabase
let store: Store
let ontology: Ontology
let type: ObjectType
let seconds = 0

const now = () => new Date(Date.parse('2021-05-01T12:00:00Z') + seconds * 1_000)
const times = { retentionSeconds: 600, settleSeconds: 60, commitsKeptSeconds: 3_600 }

let made = 0

beforeAll(async () => {
  database = await freshDatabase()
  store = openTestStore({ databaseUrl: database.url }, { now })
})

// An ontology for each test: none sees what another one wrote.
beforeEach(async () => {
  seconds = 0
  ontology = await store.applyOntology({ apiName: `people${(made += 1)}`, displayName: 'People' })
  type = await store.applyObjectType(ontology, employeeDefinition)
})

afterAll(async () => {
  await store.database.close()
  await database.drop()
})

const commit = (age: number, keys: readonly string[] = ['a', 'b']) =>
  store.commit({
    parts: [{ type, changes: keys.map((employeeId) => putObject(type, { employeeId, badge: '1', age })) }],
  })
const prune = () => store.prune(type, { ...times, now: now() })
const count = async (table: string) =>
  Number((await store.database.rows({ text: `select count(*) as n from ${table}`, values: [] }))[0]?.['n'])
const pageAt = (version: string) =>
  store.readRows({
    type,
    record: 'found',
    order: chooseOrder(type, []),
    position: undefined,
    at: { kind: 'snapshot', version },
    pageSize: 100,
    byteBudget: 1_000_000,
  })
const agesAt = async (version: string) => {
  const walk = await readWalk({
    readRows: store.readRows,
    type,
    pageSize: () => 1,
    at: { kind: 'snapshot', version },
  })
  return walk.objects.map(({ properties }) => properties['age'])
}
const floor = async () => Number((await pageAt('0')).clock.floor)

it('a version is kept for the retention after the next one was made, and its page says so afterwards', async () => {
  await commit(1)
  seconds = 100
  await commit(2)
  // Version 1 could be captured until second 100, so it is kept until second 700.
  seconds = 699
  await prune()
  expect(await floor()).toBe(1)
  expect(await agesAt('1')).toEqual([1, 1])
  seconds = 759
  await prune()
  expect(await floor()).toBe(2)
  const below = await pageAt('1')
  expect(Number(below.clock.floor)).toBeGreaterThan(1)
  expect(await agesAt('2')).toEqual([2, 2])
})

it('the floor rises and rows go as in the worked example of the README', async () => {
  await commit(1)
  seconds = 100
  await commit(2)
  const seen: (readonly [time: number, historyRows: number, floor: number])[] = []
  for (const time of [599, 600, 700, 759, 760]) {
    seconds = time
    const { historyRows } = await prune()
    seen.push([time, historyRows, await floor()])
  }
  expect(seen).toEqual([
    [599, 0, 0],
    [600, 0, 1],
    [700, 0, 2],
    [759, 0, 2],
    [760, 2, 2],
  ])
})

it('the newest version is never below the floor, however old it is', async () => {
  await commit(1)
  seconds = 1_000_000
  await prune()
  expect(await floor()).toBe(1)
  expect(await agesAt('1')).toEqual([1, 1])
})

it('what the floor has passed is deleted only when the floor has settled', async () => {
  await commit(1)
  await commit(2)
  seconds = 700
  expect(await prune()).toEqual({ historyRows: 0, commits: 0 })
  expect(await floor()).toBe(2)
  seconds = 759
  expect(await prune()).toEqual({ historyRows: 0, commits: 0 })
  expect(await count(type.tables.history)).toBe(2)
  seconds = 760
  expect(await prune()).toEqual({ historyRows: 2, commits: 0 })
  expect(await count(type.tables.history)).toBe(0)
})

it('the floor rises at most once while it settles, so that there is always a time at which it has', async () => {
  await commit(1)
  seconds = 30
  await commit(2)
  seconds = 601
  await prune()
  expect(await floor()).toBe(1)
  seconds = 640
  await prune()
  expect(await floor()).toBe(1)
  seconds = 661
  await prune()
  expect(await floor()).toBe(2)
})

it('nothing that can still be read is deleted', async () => {
  for (let age = 1; age <= 10; age += 1) {
    await commit(age, age % 2 === 0 ? ['a'] : ['a', 'b'])
    seconds += 100
  }
  const before = new Map<string, unknown>()
  for (let version = 0; version <= 10; version += 1)
    before.set(String(version), await agesAt(String(version)))
  for (const step of [0, 100, 100, 100, 300, 100, 5_000, 100]) {
    seconds += step
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
  seconds = 700
  await prune()
  seconds = 3_599
  expect(await prune()).toEqual({ historyRows: 2, commits: 0 })
  expect(await store.commit({ parts: [{ type, changes: [] }], idempotency })).toEqual({
    ...first,
    replayed: true,
  })
  seconds = 3_600
  // Versions 0, 1 and 2; 3 is the floor, so it can be read.
  expect(await prune()).toEqual({ historyRows: 0, commits: 3 })
  expect((await pageAt('3')).clock.tag).toMatch(/^[0-9a-f]{16}$/)
  expect((await pageAt('2')).clock.tag).toBeNull()
})

it('more rows than one portion are deleted in one run, by several instances at once, each row once', async () => {
  const keys = Array.from({ length: 6_500 }, (_, i) => `k${i}`)
  await commit(1, keys)
  await commit(2, keys)
  await commit(3, keys.slice(0, 10))
  seconds = 700
  await prune()
  seconds = 800
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
  seconds = 700
  await prune()
  seconds = 800
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
