// A load that replaces most of a type: both tables are made anew, and nobody can tell from what they hold.
import { forEachTest } from '@octavo/dev-database/vitest'
import type { ObjectTypeDefinition } from '@octavo/protocol'
import { Client } from 'pg'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import type { ObjectType } from '../../catalog/object-type.ts'
import { employeeDefinition } from '../../../test/support/employee.ts'
import { letTimePass } from '../../../test/support/let-time-pass.ts'
import { endConnections, people, peopleInLoads, person } from '../../../test/support/people-in-loads.ts'
import { putObject } from '../../../test/support/put-object.ts'
import { withStore, nextOntology } from '../../../test/support/with-store.ts'

const { database, store } = withStore()
const ontology = forEachTest(() => nextOntology(store))
let type: ObjectType
beforeEach(async () => {
  type = await store.applyObjectType(ontology, employeeDefinition)
})

const { rows, sendPart, begin, finish, put, contents, agesByKey, structure, tablesOfLoads } = peopleInLoads(
  () => ({ store, type }),
)

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
const structures = async () => [await structure(type), await structure(type, 'history')]
const whole = {
  version: '3',
  created: 5,
  updated: 80,
  deleted: 10,
  unchanged: 10,
  way: 'table',
  replayed: false,
}

it('P228: rows, versions, epochs, counts and indexes are those of a replacement that writes rows', async () => {
  const other = await store.applyObjectType(ontology, { ...employeeDefinition, apiName: 'other' })
  const first = people(2_000)
  const second = [...people(400), ...people(1_900, 2).slice(400), ...people(2_100).slice(2_000)]
  // Twice: the second one copies a history that the first one made. Each ends enough rows to close an epoch.
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
    expect({ ...receipt, committedAt: '' }).toEqual({ ...expected, committedAt: '', way: 'table' })
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
  const named = async (of: ObjectType) =>
    JSON.stringify([await structure(of), await structure(of, 'history')]).replaceAll(`t${of.id}_`, 't_')
  expect(await named(type)).toBe(await named(other))
  expect(await tablesOfLoads()).toEqual([])
})

it('P228: walks at every version, and of the latest state, go on while the tables are made and swapped', async () => {
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
  const steps: string[] = []
  const afterStep = async (step: string) => void steps.push(step)
  expect(await finish(load, { ...anyDeletions, afterStep })).toMatchObject(whole)
  const after = await agesByKey()
  expect(await everyVersion(['1', '2', '3'])).toEqual([...before, after])
  ended.abort()
  await Promise.all(watching)
  expect(after).toEqual(Object.fromEntries(edition.map(({ employeeId, age }) => [employeeId, age])))
  expect(
    [...seen].filter((one) => one !== JSON.stringify(before[1]) && one !== JSON.stringify(after)),
  ).toEqual([])
  // Later changes are written into the new tables.
  await put(person('k00000', 7))
  await remove('k00001')
  expect(await everyVersion(['1', '2', '3'])).toEqual([...before, after])
  expect(await agesByKey()).toMatchObject({ k00000: 7 })
  expect(steps).toEqual(expect.arrayContaining(['versions kept', 'history filled', 'history analysed']))
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

it('P228: writers wait for it and follow it', async () => {
  await prepare()
  const load = await begun()
  let written: Promise<unknown> = Promise.resolve()
  const afterStep = async (step: string) => {
    if (step === 'counted') written = put(person('k00000', 6))
  }
  expect(await finish(load, { ...anyDeletions, afterStep })).toMatchObject(whole)
  expect(await written).toMatchObject({ version: '4', updated: 1 })
  expect(await agesByKey('3')).toMatchObject({ k00000: 1 })
  expect(await agesByKey()).toMatchObject({ k00000: 6 })
})

it('P228: a definition that is changed meanwhile finds the new tables', async () => {
  const withPhone = (searchable: boolean): ObjectTypeDefinition => ({
    ...employeeDefinition,
    properties: { ...employeeDefinition.properties, phone: { type: 'string', searchable } },
  })
  type = await store.applyObjectType(ontology, withPhone(false))
  await prepare()
  const load = await begun()
  let changed: Promise<ObjectType> | undefined
  const afterStep = async (step: string) => {
    if (step === 'history filled') changed = store.applyObjectType(ontology, withPhone(true))
  }
  expect(await finish(load, { ...anyDeletions, afterStep })).toMatchObject(whole)
  type = (await changed) ?? type
  const phone = type.columns.find(({ property }) => property === 'phone')
  const index = type.indexes.find(({ keys }) => keys[0]?.column === phone?.name)
  expect(index).toMatchObject({ ready: true })
  for (const side of ['current', 'history'] as const) {
    expect((await structure(type, side)).indexes.join('\n')).toMatch(
      new RegExp(`t${type.id}_${side}_[ei]${index?.number} `),
    )
  }
  expect(await contents('2')).toHaveLength(100)
  expect(await contents()).toHaveLength(95)
})

it('P228: history that is pruned meanwhile is pruned again, and no version that can be read lacks anything', async () => {
  await prepare()
  await letTimePass(store, type, 3_600)
  const times = { retentionSeconds: 600, settleSeconds: 0, commitsKeptSeconds: 86_400 }
  // The floor is at version 2: the two rows that ended with it can go.
  await store.prune(type, times)
  const load = await begun()
  let pruned = 0
  const afterStep = async (step: string) => {
    if (step === 'history filled') pruned += (await store.prune(type, times)).historyRows
  }
  const before = await agesByKey('2')
  expect(await finish(load, { ...anyDeletions, afterStep })).toMatchObject(whole)
  expect(pruned).toBe(2)
  expect(await agesByKey('2')).toEqual(before)
  expect((await store.prune(type, times)).historyRows).toBe(2)
  expect(await agesByKey('2')).toEqual(before)
  expect(await rows(`select count(*) as n from ${type.tables.history}`)).toEqual([{ n: '90' }])
})

describe('the rows are written', () => {
  /** Finishes the load, and says what came of it. */
  const finished = async (load: string, more: object = {}) => {
    const before = await everyVersion(['1', '2'])
    const { way, created, updated } = await finish(load, { ...anyDeletions, ...more })
    expect(await everyVersion(['1', '2'])).toEqual(before)
    return {
      way,
      written: created + updated,
      objects: (await contents()).length,
      tablesLeft: await tablesOfLoads(),
    }
  }
  const asRows = { way: 'rows', written: 85, objects: 95, tablesLeft: [] }

  it('P228: if less than half of the objects change', async () => {
    await prepare()
    const load = await begin(true)
    await sendPart(load, 1, [...people(51), ...people(100, 2).slice(51)])
    expect(await finish(load)).toMatchObject({ updated: 49, unchanged: 51, way: 'rows' })
    const other = await begin(true)
    await sendPart(other, 1, [...people(50, 3), ...people(51).slice(50), ...people(100, 2).slice(51)])
    expect(await finish(other)).toMatchObject({ updated: 50, unchanged: 50, way: 'table' })
  })

  it('P228: if history is far larger than the objects', async () => {
    await prepare()
    await rows(`insert into ${type.tables.history} (pk, version_from, version_to, epoch, scalars)
select 'old', i, i + 1, 1, repeat('x', 1000) from generate_series(-9000, -5000) as i`)
    expect(await finished(await begun())).toEqual(asRows)
  })

  it.for([
    ['an index', 'create index mine on $current (version_from)'],
    ['a view', 'create view $schema.mine as select pk from $history'],
    ['a privilege', 'grant select on $current to public'],
    ['an option', 'alter table $history set (fillfactor = 50)'],
    ['a statistic', 'create statistics $schema.mine on pk, version_from from $current'],
  ] as const)('P228: if somebody has given a table %s, which is kept', async ([, text]) => {
    await prepare()
    await rows(
      text
        .replace('$current', type.tables.current)
        .replace('$history', type.tables.history)
        .replace('$schema', type.schema),
    )
    const before = await structures()
    expect(await finished(await begun())).toEqual(asRows)
    expect(await structures()).toEqual(before)
  })

  it(
    'P228: if a reader holds a table for long, and other readers wait only for moments',
    { timeout: 90_000 },
    async () => {
      await prepare()
      const load = await begun()
      const reader = new Client(database.url)
      await reader.connect()
      await reader.query(`begin; lock table ${type.tables.history} in access share mode`)
      const waits: number[] = []
      const ended = new AbortController()
      const watch = async () => {
        while (!ended.signal.aborted) {
          const from = performance.now()
          await agesByKey('1')
          waits.push(performance.now() - from)
        }
      }
      const watching = watch()
      expect(await finished(load)).toEqual(asRows)
      ended.abort()
      await watching
      await reader.query('rollback')
      await reader.end()
      expect(Math.max(...waits)).toBeLessThan(3_000)
    },
  )
})

describe('interrupted', () => {
  const steps = [
    'counted',
    'key',
    'versions kept',
    'index 1',
    'index 5',
    'analysed',
    'history filled',
    'history key',
    'history index 1',
    'history index 6',
    'history analysed',
    'checked',
    'renamed',
    'recorded',
  ]

  it.for(steps)('P223: after "%s", a replacement has changed nothing, and can be finished', async (step) => {
    await prepare()
    const [wanted, before] = [await structures(), await everyVersion(['1', '2'])]
    const load = await begun()
    const afterStep = async (reached: string) => {
      if (reached === step) throw new Error('killed')
    }
    await expect(finish(load, { ...anyDeletions, afterStep })).rejects.toThrow('killed')
    expect(await everyVersion(['1', '2'])).toEqual(before)
    expect(await agesByKey()).toEqual(before[1])
    // A commit in between makes everything that was prepared one of another version.
    await put(person('k00099', 9))
    expect(await finish(load, anyDeletions)).toMatchObject({ ...whole, version: '4' })
    expect(await everyVersion(['1', '2'])).toEqual(before)
    expect(await agesByKey('3')).toEqual({ ...before[1], k00099: 9 })
    expect(await contents()).toHaveLength(95)
    expect(await structures()).toEqual(wanted)
    expect(await tablesOfLoads()).toEqual([])
  })

  it.for(steps)('P223: when the server ends all its connections after "%s", too', async (step) => {
    await prepare()
    const before = await everyVersion(['1', '2'])
    const load = await begun()
    let reached = 0
    const afterStep = async (name: string) => {
      if (name !== step || (reached += 1) > 1) return
      await endConnections(database.url)
    }
    await finish(load, { ...anyDeletions, afterStep }).catch(() => {})
    expect(reached).toBeGreaterThan(0)
    // Connections that were ended may not be known to be yet.
    await expect
      .poll(() => finish(load, anyDeletions))
      .toMatchObject({ ...whole, replayed: expect.any(Boolean) })
    expect(await everyVersion(['1', '2'])).toEqual(before)
    expect(await contents()).toHaveLength(95)
    expect(await tablesOfLoads()).toEqual([])
  })

  it('P223: once its clock is lost and somebody has written, it makes no table of the version before', async () => {
    await prepare()
    const load = await begun()
    const afterStep = async (step: string) => {
      if (step !== 'counted') return
      await endConnections(database.url)
      // The pools notice at the next use which of their connections are gone.
      await vi.waitFor(() => put(person('k00099', 9)), { timeout: 10_000, interval: 100 })
    }
    await expect(finish(load, { ...anyDeletions, afterStep })).rejects.toMatchObject({
      errorName: 'Overloaded',
    })
    expect(await tablesOfLoads()).toEqual([{ relname: `load_${load}` }])
    expect(
      await rows(`select distinct version_from from ${type.schema}.load_${load} where pk <> 'k00099'`),
    ).toEqual([{ version_from: '3' }])
    expect(await finish(load, anyDeletions)).toMatchObject({ ...whole, version: '4' })
  })

  it.for(['given up', 'pruned'])('P226: and %s, it leaves nothing', async (end) => {
    await prepare()
    const load = await begun()
    const afterStep = async (reached: string) => {
      if (reached === 'checked') throw new Error('killed')
    }
    await expect(finish(load, { ...anyDeletions, afterStep })).rejects.toThrow('killed')
    expect(await tablesOfLoads()).toHaveLength(2)
    const indexCount = 2 * type.indexes.length + 3
    expect(await store.loads.describe(type, load)).toMatchObject({ indexCount, builtIndexCount: indexCount })
    if (end === 'given up') await store.loads.giveUp(type, load)
    else expect(await store.pruneLoads(ontology, { unfinishedSeconds: 0, receiptSeconds: 0 })).toBe(1)
    expect(await tablesOfLoads()).toEqual([])
    expect(await contents()).toHaveLength(100)
  })

  it('P226: a table for history that appears after its load was finished is removed', async () => {
    await prepare()
    const load = await begun()
    await finish(load, anyDeletions)
    await rows(`create table ${type.schema}.load_${load}_history (pk text)`)
    expect(await store.pruneLoads(ontology, { unfinishedSeconds: 3_600, receiptSeconds: 3_600 })).toBe(1)
    expect(await tablesOfLoads()).toEqual([])
  })
})
