import { forEachTest } from '@octavo/dev-database/vitest'
import { Client } from 'pg'
import { beforeEach, describe, expect, it } from 'vitest'
import type { ObjectType } from '../../catalog/object-type.ts'
import { employeeDefinition } from '../../../test/support/employee.ts'
import { endConnections, people, peopleInLoads, person } from '../../../test/support/people-in-loads.ts'
import { putObject } from '../../../test/support/put-object.ts'
import { readWalk } from '../../../test/support/read-walk.ts'
import { snapshotAt } from '../../../test/support/snapshot-at.ts'
import { gatherRows } from './load-rows.ts'
import { openLoads } from './open-loads.ts'
import { withStore, nextOntology } from '../../../test/support/with-store.ts'
import { errorNamed } from '../../../test/support/named-errors.ts'

const { database, store } = withStore()
const ontology = forEachTest(() => nextOntology(store))
let type: ObjectType
beforeEach(async () => {
  type = await store.applyObjectType(ontology, employeeDefinition)
})

const { rows, sendPart, begin, finish, put, contents, agesByKey, structure, tablesOfLoads } = peopleInLoads(
  () => ({ store, type }),
)

describe('into an empty type', () => {
  it('P222: its table becomes that of the type, with the same structure, and its objects are as a batch makes them', async () => {
    const wanted = await structure(type)
    const load = await begin()
    await sendPart(load, 1, people(1_500))
    await sendPart(load, 2, [person('last', 7)])
    expect(await contents()).toEqual([])
    const receipt = await finish(load)
    expect(receipt).toMatchObject({ version: '1', created: 1_501, deleted: 0, unchanged: 0, way: 'table' })
    expect(await structure(type)).toEqual(wanted)
    expect(await tablesOfLoads()).toEqual([])
    const clock = await rows(`select version, live, largest > 0 as sized from ${type.tables.clock}`)
    expect(clock).toEqual([{ version: '1', live: '1501', sized: 't' }])

    const other = await store.applyObjectType(ontology, { ...employeeDefinition, apiName: 'other' })
    const changes = [...people(1_500), person('last', 7)].map((object) => putObject(other, object))
    await store.stage({ chunks: [{ type: other, changes }] })
    const columns = [
      'pk',
      'version_from',
      'scalars',
      'others',
      ...type.columns.map(({ name }) => name),
    ].join()
    const stored = (of: ObjectType) => rows(`select ${columns} from ${of.tables.current} order by pk`)
    expect(await stored(type)).toEqual(await stored(other))
  })

  it('P222: a snapshot from before does not see its objects, and later changes leave it as it was', async () => {
    await put(person('early'))
    await store.commit({ parts: [{ type, changes: [{ kind: 'delete', key: 'early' }] }] })
    const load = await begin()
    await sendPart(load, 1, people(800))
    expect(await finish(load)).toMatchObject({ version: '3', way: 'table' })
    expect(await agesByKey('1')).toEqual({ early: 1 })
    expect(await contents('2')).toEqual([])
    await put(person('k00000', 2), person('new', 2))
    expect(Object.keys(await agesByKey('3'))).toHaveLength(800)
    expect(await agesByKey('3')).toMatchObject({ k00000: 1 })
    expect(await agesByKey()).toMatchObject({ k00000: 2, new: 2 })
  })

  it('P221: a key in several parts has the state of the greatest part, whatever came last', async () => {
    const load = await begin()
    await sendPart(load, 3, [person('a', 3), person('b', 30)])
    await sendPart(load, 1, [person('a', 1), person('c', 10), person('c', 11)])
    await sendPart(load, 2, [person('a', 2), person('b', 20)])
    expect(await finish(load)).toMatchObject({ created: 3, way: 'table' })
    expect(await agesByKey()).toEqual({ a: 3, b: 30, c: 11 })
    expect(await rows(`select live from ${type.tables.clock}`)).toEqual([{ live: '3' }])
  })

  it('P221: parts may come at the same time; one that is there is not stored again, and other contents are refused', async () => {
    const load = await begin()
    const sent = await Promise.all(
      Array.from({ length: 12 }, (_, i) => sendPart(load, i % 6, [person(`k${i % 6}`)], `d${i % 6}`)),
    )
    expect(sent.filter(({ replayed }) => replayed)).toHaveLength(6)
    await expect(sendPart(load, 1, [person('x')], 'other')).rejects.toMatchObject(
      errorNamed('LoadPartConflict', { loadId: load, part: 1 }),
    )
    expect(await finish(load)).toMatchObject({ created: 6 })
  })

  it('P223: finishing again gives the same receipt, and a finished load takes no parts', async () => {
    const load = await begin()
    await sendPart(load, 1, people(3))
    const both = await Promise.all([finish(load), finish(load)])
    expect(both.filter(({ replayed }) => replayed)).toHaveLength(1)
    const [first, second] = both.map((receipt) => ({ ...receipt, replayed: true, way: '' }))
    expect(first).toEqual(second)
    await expect(sendPart(load, 2, people(1))).rejects.toMatchObject({ errorName: 'LoadClosed' })
    await expect(store.loads.giveUp(type, load)).rejects.toMatchObject({ errorName: 'LoadClosed' })
    expect(await store.loads.describe(type, load)).toMatchObject({
      phase: 'done',
      partCount: 1,
      objectCount: 3,
      receipt: { created: 3 },
    })
  })

  it('P222: walks that run while the tables are swapped see the type before or after, never between', async () => {
    const load = await begin()
    await sendPart(load, 1, people(2_000))
    const before = await snapshotAt(store, type, '0')
    const ended = new AbortController()
    const seen = new Set<number>()
    const watch = async () => {
      while (!ended.signal.aborted) {
        seen.add((await contents()).length)
        const old = await readWalk({ readPage: store.readPage, type, pageSize: () => 100, at: before })
        expect(old.objects).toEqual([])
      }
    }
    const watching = [watch(), watch(), watch()]
    expect(await finish(load)).toMatchObject({ way: 'table' })
    expect((await contents()).length).toBe(2_000)
    ended.abort()
    await Promise.all(watching)
    expect([...seen].filter((count) => count !== 0 && count !== 2_000)).toEqual([])
  })

  it('P222: while somebody reads the table for long, the rows are not lost and readers do not queue', async () => {
    const load = await begin()
    await sendPart(load, 1, people(50))
    const reader = new Client(database.url)
    await reader.connect()
    await reader.query(`begin; lock table ${type.tables.current} in access share mode`)
    const finishing = finish(load)
    const slowest: number[] = []
    for (let i = 0; i < 20; i += 1) {
      const from = performance.now()
      await contents()
      slowest.push(performance.now() - from)
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
    await reader.query('rollback')
    await reader.end()
    expect(await finishing).toMatchObject({ created: 50, way: 'table' })
    expect(Math.max(...slowest)).toBeLessThan(2_000)
  })
})

describe('into a type with objects', () => {
  it('P222: its rows are written as those of a batch', async () => {
    await put(person('k00000'), person('k00001', 9), person('stays'))
    const load = await begin()
    await sendPart(load, 2, people(3))
    await sendPart(load, 1, [person('k00002', 5)])
    expect(await finish(load)).toMatchObject({
      version: '2',
      created: 1,
      updated: 1,
      deleted: 0,
      unchanged: 1,
      way: 'rows',
    })
    expect(await agesByKey()).toEqual({ k00000: 1, k00001: 1, k00002: 1, stays: 1 })
    expect(await agesByKey('1')).toEqual({ k00000: 1, k00001: 9, stays: 1 })
    expect(await tablesOfLoads()).toEqual([])
    expect(await finish(load)).toMatchObject({ version: '2', way: 'rows', replayed: true })
  })

  it('P224: a replacement leaves exactly its objects, and may delete no more than the request allows', async () => {
    await put(...people(20), person('gone'))
    const load = await begin(true)
    await sendPart(load, 1, people(15, 2))
    await expect(finish(load, { maxDeletions: { kind: 'usual' } })).rejects.toMatchObject(
      errorNamed('TooManyDeletions', { deleted: 6, objectCount: 21, maxDeletions: 2 }),
    )
    expect(await contents()).toHaveLength(21)
    const allowed = { maxDeletions: { kind: 'count', count: 6 } } as const
    expect(await finish(load, allowed)).toMatchObject({ updated: 15, deleted: 6 })
    expect((await contents()).map(({ age }) => age)).toEqual(Array.from({ length: 15 }, () => 2))
  })

  it('P222: a commit during the load is kept, and the load follows it', async () => {
    const load = await begin()
    await sendPart(load, 1, people(5))
    await put(person('meanwhile', 4), person('k00001', 4))
    expect(await finish(load)).toMatchObject({ version: '2', created: 4, updated: 1, way: 'rows' })
    expect(await agesByKey()).toMatchObject({ meanwhile: 4, k00001: 1 })
    expect(await agesByKey('1')).toEqual({ meanwhile: 4, k00001: 4 })
  })

  it('P222: also if the type is empty again, because the version is another one', async () => {
    const load = await begin()
    await sendPart(load, 1, people(5))
    await put(person('meanwhile'))
    await store.commit({ parts: [{ type, changes: [{ kind: 'delete', key: 'meanwhile' }] }] })
    expect(await finish(load)).toMatchObject({ version: '3', created: 5, way: 'rows' })
    expect(await contents('2')).toEqual([])
  })

  it.for(['stays', 'is deleted'])(
    'P222: also if an object is written while indexes are built, and %s',
    async (then) => {
      const load = await begin()
      await sendPart(load, 1, people(5))
      const afterStep = async (step: string) => {
        if (step !== 'analysed') return
        await put(person('meanwhile', 4))
        if (then === 'is deleted') {
          await store.commit({ parts: [{ type, changes: [{ kind: 'delete', key: 'meanwhile' }] }] })
        }
      }
      const version = then === 'stays' ? '2' : '3'
      expect(await finish(load, { afterStep })).toMatchObject({ version, created: 5, way: 'rows' })
      expect(await agesByKey('1')).toEqual({ meanwhile: 4 })
      expect(await contents()).toHaveLength(then === 'stays' ? 6 : 5)
      expect(await tablesOfLoads()).toEqual([])
    },
  )

  it('P222: of two loads at once, the second is written into what the first made', async () => {
    const [one, two] = [await begin(), await begin()]
    await sendPart(one, 1, people(10, 1))
    await sendPart(two, 1, [...people(5, 2), person('more', 2)])
    const receipts = await Promise.all([finish(one), finish(two)])
    expect(receipts.map(({ way }) => way).toSorted()).toEqual(['rows', 'table'])
    expect(await contents()).toHaveLength(11)
    expect(await tablesOfLoads()).toEqual([])
  })
})

describe('interrupted', () => {
  const steps = ['closed', 'key', 'index 1', 'index 5', 'analysed', 'checked', 'renamed', 'recorded']

  it.for(steps)(
    'P223: after "%s", and finished again, it is there once and nothing is left over',
    async (step) => {
      const wanted = await structure(type)
      const load = await begin()
      await sendPart(load, 1, people(200))
      const afterStep = async (reached: string) => {
        if (reached === step) throw new Error('killed')
      }
      await expect(finish(load, { afterStep })).rejects.toThrow('killed')
      expect(await contents()).toEqual([])
      expect(await finish(load)).toMatchObject({ version: '1', created: 200, replayed: false, way: 'table' })
      expect(await contents()).toHaveLength(200)
      expect(await structure(type)).toEqual(wanted)
      expect(await tablesOfLoads()).toEqual([])
    },
  )

  it.for(steps)('P223: when the server ends all its connections after "%s", too', async (step) => {
    const load = await begin()
    await sendPart(load, 1, [...people(200), person('twice', 1)])
    await sendPart(load, 2, [person('twice', 2)])
    let reached = 0
    const afterStep = async (name: string) => {
      if (name !== step || (reached += 1) > 1) return
      await endConnections(database.url)
    }
    await finish(load, { afterStep }).catch(() => {})
    expect(reached).toBeGreaterThan(0)
    // Connections that were ended may not be known to be yet.
    await expect.poll(() => finish(load)).toMatchObject({ version: '1', created: 201, way: 'table' })
    expect(await agesByKey()).toMatchObject({ twice: 2 })
    expect(await tablesOfLoads()).toEqual([])
  })

  it('P225: by a changed definition, it takes no parts and cannot be finished', async () => {
    const load = await begin()
    await sendPart(load, 1, people(3))
    const changed = await store.applyObjectType(ontology, { ...employeeDefinition, description: 'Changed' })
    await expect(store.loads.finish({ type: changed, load })).rejects.toMatchObject(
      errorNamed('LoadOutdated', { loadId: load, objectType: 'employee' }),
    )
    const part = { part: '2', digest: '', ...(await gatherRows([])) }
    await expect(store.loads.addPart(changed, load, part)).rejects.toMatchObject({
      errorName: 'LoadOutdated',
    })
    await store.loads.giveUp(changed, load)
    expect(await tablesOfLoads()).toEqual([])
  })

  it('P225: by one that is changed while indexes are built', async () => {
    const load = await begin()
    await sendPart(load, 1, people(3))
    const afterStep = async (step: string) => {
      if (step === 'key') {
        await store.applyObjectType(ontology, { ...employeeDefinition, description: 'Changed' })
      }
    }
    await expect(finish(load, { afterStep })).rejects.toMatchObject({ name: 'StaleDefinition' })
    expect(await rows(`select pk from ${type.tables.current}`)).toEqual([])
  })
})

describe('given up', () => {
  const times = { unfinishedSeconds: 3_600, receiptSeconds: 3_600 }
  const age = (load: string) =>
    Promise.all([
      rows(`update ${type.schema}.loads set begun_at = begun_at - interval '2 hours' where load = $1`, [
        load,
      ]),
      rows(
        `update ${type.schema}.load_parts set received_at = received_at - interval '2 hours' where load = $1`,
        [load],
      ),
    ])

  it('P226: a load that is given up leaves nothing', async () => {
    const load = await begin()
    await sendPart(load, 1, people(3))
    await store.loads.giveUp(type, load)
    expect(await tablesOfLoads()).toEqual([])
    await expect(store.loads.describe(type, load)).rejects.toMatchObject({ errorName: 'LoadNotFound' })
    await expect(finish(load)).rejects.toMatchObject({ errorName: 'LoadNotFound' })
    expect(await rows(`select 1 from ${type.schema}.load_parts`)).toEqual([])
  })

  it('P226: one without a part for too long is removed by itself, one that still gets parts is not', async () => {
    const [old, young] = [await begin(), await begin()]
    await sendPart(old, 1, people(3))
    await age(old)
    await age(young)
    await sendPart(young, 1, people(3))
    expect(await store.pruneLoads(ontology, times)).toBe(1)
    expect(await tablesOfLoads()).toEqual([{ relname: `load_${young}` }])
    await expect(finish(old)).rejects.toMatchObject({ errorName: 'LoadNotFound' })
    expect(await finish(young)).toMatchObject({ created: 3 })
  })

  it('P226: one that is being finished is left alone', async () => {
    const load = await begin()
    await sendPart(load, 1, people(3))
    await age(load)
    const afterStep = async () => {
      expect(await store.pruneLoads(ontology, times)).toBe(0)
      await expect(store.loads.giveUp(type, load)).rejects.toMatchObject({ errorName: 'LoadClosed' })
    }
    expect(await finish(load, { afterStep })).toMatchObject({ created: 3 })
  })

  it('P226: a table that no row knows is removed, and old receipts are', async () => {
    const load = await begin()
    await sendPart(load, 1, people(3))
    await finish(load)
    await rows(`create table ${type.schema}.load_${'a'.repeat(32)} (pk text)`)
    await rows(`create table ${type.schema}.load_of_bricks (pk text)`)
    expect(await store.pruneLoads(ontology, times)).toBe(1)
    expect(await store.pruneLoads(ontology, { ...times, receiptSeconds: 0 })).toBe(0)
    await expect(store.loads.describe(type, load)).rejects.toMatchObject({ errorName: 'LoadNotFound' })
    expect((await contents()).length).toBe(3)
    await rows(`drop table ${type.schema}.load_of_bricks`)
  })
})

it('P220: an id of another form names no load, and no table', async () => {
  for (const load of ['', 'x', '0'.repeat(31), `${'0'.repeat(32)}'; drop table x`, 'A'.repeat(32)]) {
    await expect(store.loads.describe(type, load)).rejects.toMatchObject({ errorName: 'LoadNotFound' })
  }
})

it('P220: a load without any part cannot be finished, and can be continued', async () => {
  const load = await begin(true)
  await expect(finish(load)).rejects.toMatchObject({ errorName: 'MissingPostBody' })
})

it('P227: on a cluster there are no loads', async () => {
  const isUsed = () => {
    throw new Error('something is done')
  }
  const cluster = openLoads({
    database: { ...store.database, isCitus: () => true },
    queue: isUsed,
    batchSeconds: 1,
    exclusively: Object.assign(isUsed, { ifFree: isUsed }),
    openApart: isUsed,
    newTag: isUsed,
    newLoadId: isUsed,
  })
  expect(cluster.requireSupport).toThrow(expect.objectContaining({ errorName: 'LoadsNotSupported' }))
  expect(store.loads.requireSupport).not.toThrow()
})
