// A load that replaces the objects of a type: it leaves what a replacement in one request leaves.
import { forEachTest } from '@octavo/dev-database/vitest'
import { beforeEach, expect, it } from 'vitest'
import type { ObjectType } from '../../catalog/object-type.ts'
import { employeeDefinition } from '../../../test/support/employee.ts'
import { people, peopleInLoads, person } from '../../../test/support/people-in-loads.ts'
import { putObject } from '../../../test/support/put-object.ts'
import { withStore, nextOntology } from '../../../test/support/with-store.ts'

const { store } = withStore()
const ontology = forEachTest(() => nextOntology(store))
let type: ObjectType
beforeEach(async () => {
  type = await store.applyObjectType(ontology, employeeDefinition)
})

const { rows, sendPart, begin, finish, put, agesByKey, tablesOfLoads } = peopleInLoads(() => ({
  store,
  type,
}))

const remove = (key: string) => store.commit({ parts: [{ type, changes: [{ kind: 'delete', key }] }] })
const anyDeletions = { maxDeletions: { kind: 'percent', percent: 100 } } as const

/** Two versions: at the second, 100 people of age 1, of whom one was 5 before, and one more was there. */
const prepare = async () => {
  await put(...people(100), person('k00007', 5), person('early', 1))
  await store.commit({
    parts: [{ type, changes: [putObject(type, person('k00007')), { kind: 'delete', key: 'early' }] }],
  })
}
/** Ten stay as they are, 80 change, ten are deleted and five are new. */
const edition = [...people(10), ...people(90, 2).slice(10), ...people(105, 3).slice(100)]
const begun = async () => {
  const load = await begin(true)
  await sendPart(load, 1, edition)
  return load
}
const everyVersion = async (versions: readonly string[]) =>
  Promise.all(versions.map((version) => agesByKey(version)))
const whole = {
  version: '3',
  created: 5,
  updated: 80,
  deleted: 10,
  unchanged: 10,
  way: 'rows',
  replayed: false,
}

it('P228: rows, versions, epochs and counts are those of a replacement in one request', async () => {
  const other = await store.applyObjectType(ontology, { ...employeeDefinition, apiName: 'other' })
  const first = people(2_000)
  const second = [...people(400), ...people(1_900, 2).slice(400), ...people(2_100).slice(2_000)]
  // Each ends enough rows to close an epoch.
  const editions = [second, [...people(1_900, 3), person('k01950', 4)]]
  for (const of of [type, other]) {
    await store.stage({ chunks: [{ type: of, changes: first.map((object) => putObject(of, object)) }] })
    await store.commit({ parts: [{ type: of, changes: [putObject(of, person('k00000', 9))] }] })
  }
  for (const objects of editions) {
    const load = await begin(true)
    await sendPart(load, 1, objects.slice(0, 700))
    await sendPart(load, 2, objects.slice(600))
    const receipt = await finish(load, { ...anyDeletions, by: 'somebody' })
    const changes = objects.map((object) => putObject(other, object))
    const expected = await store.stage({
      chunks: [{ type: other, changes }],
      replaces: other,
      by: 'somebody',
    })
    expect({ ...receipt, committedAt: '' }).toEqual({ ...expected, committedAt: '', way: 'rows' })
  }
  const shared = ['pk', 'version_from', 'scalars', 'others', ...type.columns.map(({ name }) => name)].join()
  const stored = async (of: ObjectType) => ({
    current: await rows(`select ${shared} from ${of.tables.current} order by pk`),
    history: await rows(
      `select ${shared}, version_to, epoch from ${of.tables.history} order by pk, version_from`,
    ),
    clock: await rows(
      `select version, live, largest, epoch, epoch_rows, floor
from ${of.tables.clock} where object_type = ${of.id}`,
    ),
    commits: await rows(
      `select version, live, created, updated, deleted, unchanged, epoch from ${of.tables.commits} where object_type = ${of.id} order by 1`,
    ),
    audit: await rows(
      `select subject, action, details, objects from ${of.schema}.audit where object_type = $1 order by at`,
      [of.apiName],
    ),
  })
  const left = await stored(type)
  expect(left).toEqual(await stored(other))
  expect(left.history.length).toBeGreaterThan(3_000)
  expect(new Set(left.history.map(({ epoch }) => epoch)).size).toBeGreaterThan(1)
  expect(await tablesOfLoads()).toEqual([])
})

it('P228: walks at every version, and of the latest state, continue while its rows are written', async () => {
  await prepare()
  const before = await everyVersion(['1', '2'])
  const load = await begun()
  const ended = new AbortController()
  const seen = new Set<string>()
  const watch = async () => {
    while (!ended.signal.aborted) {
      seen.add(JSON.stringify(await agesByKey()))
      expect(await everyVersion(['1', '2'])).toEqual(before)
    }
  }
  const watching = [watch(), watch()]
  expect(await finish(load, anyDeletions)).toMatchObject(whole)
  const after = await agesByKey()
  expect(await everyVersion(['1', '2', '3'])).toEqual([...before, after])
  ended.abort()
  await Promise.all(watching)
  expect(after).toEqual(Object.fromEntries(edition.map(({ employeeId, age }) => [employeeId, age])))
  expect(
    [...seen].filter((one) => one !== JSON.stringify(before[1]) && one !== JSON.stringify(after)),
  ).toEqual([])
  await put(person('k00000', 7))
  await remove('k00001')
  expect(await everyVersion(['1', '2', '3'])).toEqual([...before, after])
  expect(await agesByKey()).toMatchObject({ k00000: 7 })
})

it('P228: it is finished as a whole too if others have written since it was begun, and if it has a key twice', async () => {
  await prepare()
  const load = await begun()
  await sendPart(load, 2, [person('k00003', 8), person('k00050')])
  await put(person('k00000', 6), person('k00060', 2))
  const before = await everyVersion(['1', '2', '3'])
  expect(await finish(load, anyDeletions)).toMatchObject({
    ...whole,
    version: '4',
  })
  expect(await everyVersion(['1', '2', '3'])).toEqual(before)
  expect(await agesByKey()).toMatchObject({ k00000: 1, k00003: 8, k00050: 1, k00060: 2 })
  expect(
    await rows(
      `select version_from from ${type.tables.current} where pk in ('k00050', 'k00060') order by pk`,
    ),
  ).toEqual([{ version_from: '1' }, { version_from: '3' }])
})
