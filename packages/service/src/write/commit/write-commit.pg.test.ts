import { forEachTest } from '@octavo/dev-database/vitest'
import { setTimeout as sleep } from 'node:timers/promises'
import { beforeEach, describe, expect, it } from 'vitest'
import { columnOf, type ObjectType } from '../../catalog/object-type.ts'
import { StaleDefinition } from '../../catalog/stale-definition.ts'
import { employeeDefinition } from '../../../test/support/employee.ts'
import { letTimePass } from '../../../test/support/let-time-pass.ts'
import { openTestStore, type TestStore } from '../../../test/support/open-test-store.ts'
import { putObject } from '../../../test/support/put-object.ts'
import { readWalk } from '../../../test/support/read-walk.ts'
import type { Change } from './change.ts'
import type { CommitFacts } from './commit-parts.ts'
import { snapshotAt } from '../../../test/support/snapshot-at.ts'
import { nextOntology, withStore } from '../../../test/support/with-store.ts'
import { errorNamed } from '../../../test/support/named-errors.ts'

const { database, store } = withStore()
// One ontology for each test, so that no test sees what another one wrote.
const ontology = forEachTest(() => nextOntology(store))
let type: ObjectType
beforeEach(async () => {
  type = await store.applyObjectType(ontology, employeeDefinition)
})

const put = (employeeId: string, age?: number): Change => putObject(type, { employeeId, badge: '1', age })
const remove = (key: string): Change => ({ kind: 'delete', key })
const rows = (text: string) => store.database.rows({ text, values: [] })
const clock = async (of = type) =>
  (await rows(`select version, live from ${of.tables.clock} where object_type = ${of.id}`))[0]
/** Microseconds since 1970: receipts are more precise than a Date. */
const micros = (receipt: { readonly committedAt: string }): number => {
  const [seconds = '', decimals = ''] = receipt.committedAt.slice(0, -1).split('.')
  return Date.parse(`${seconds}Z`) * 1_000 + Number(decimals.padEnd(6, '0'))
}
const databaseTime = async (): Promise<number> =>
  Number((await rows('select floor(extract(epoch from clock_timestamp()) * 1000000) as now'))[0]?.['now'])
const ageColumn = () => columnOf(type, 'age')?.name ?? ''

const current = async () =>
  (
    await rows(`select pk, version_from as v, ${ageColumn()} as age from ${type.tables.current} order by pk`)
  ).map(({ pk, v, age }) => `${pk} ${age} since ${v}`)
const history = async () =>
  (
    await rows(
      `select pk, version_from as v, version_to as w, ${ageColumn()} as age from ${type.tables.history} order by pk, v`,
    )
  ).map(({ pk, v, w, age }) => `${pk} ${age} ${v}-${w}`)
const counted = async () => {
  const [row] = await rows(`select count(*) as n from ${type.tables.current}`)
  expect((await clock())?.['live']).toBe(row?.['n'])
}

const liveAt = async (version: string) =>
  (
    await readWalk({
      readPage: store.readPage,
      type,
      pageSize: () => 1,
      at: await snapshotAt(store, type, version),
    })
  ).objects.length

const chunked = (changes: readonly Change[], size: number) =>
  Array.from({ length: Math.max(1, Math.ceil(changes.length / size)) }, (_, i) => ({
    type,
    changes: changes.slice(i * size, (i + 1) * size),
  }))

const later = (idempotency: CommitFacts['idempotency']) =>
  idempotency && { key: idempotency.key, digest: () => idempotency.digest }

// Every way of writing makes the same version from the same changes.
describe.each<
  [
    string,
    (changes: readonly Change[], idempotency?: CommitFacts['idempotency']) => ReturnType<TestStore['commit']>,
  ]
>([
  [
    'a commit',
    (changes, idempotency) => store.commit({ parts: [{ type, changes }], by: 'ada', idempotency }),
  ],
  [
    'a staged commit',
    (changes, idempotency) =>
      store.stage({ chunks: [{ type, changes }], by: 'ada', idempotency: later(idempotency) }),
  ],
  [
    'a commit staged in chunks of one',
    (changes, idempotency) =>
      store.stage({ chunks: chunked(changes, 1), by: 'ada', idempotency: later(idempotency) }),
  ],
  [
    'a commit staged from a stream',
    (changes, idempotency) =>
      store.stage({
        chunks: (async function* chunks() {
          yield { type, changes: [] }
          yield* chunked(changes, 2)
        })(),
        by: 'ada',
        idempotency: later(idempotency),
      }),
  ],
])('%s', (_way, write) => {
  it('is in the audit with its version and the number of objects that it changed', async () => {
    await write([put('a', 1), put('b', 2)])
    await write([put('a', 1), remove('b')])
    const audited = await rows(
      `select details ->> 'version' as version, objects from ${type.schema}.audit where action = 'commit' order by at`,
    )
    expect(audited).toEqual([
      { version: '1', objects: '2' },
      { version: '2', objects: '1' },
    ])
  })

  it('counts what it created, updated, deleted and left unchanged, and says when', async () => {
    const began = await databaseTime()
    const first = await write([put('a', 1), put('b', 2), put('c', 3)])
    expect(first).toEqual({
      version: '1',
      committedAt: expect.any(String),
      created: 3,
      updated: 0,
      deleted: 0,
      unchanged: 0,
      replayed: false,
    })
    const between = await databaseTime()
    expect(micros(first)).toBeGreaterThanOrEqual(began)
    expect(micros(first)).toBeLessThanOrEqual(between)
    const second = await write([put('a', 1), put('b', 20), put('d', 4), remove('c'), remove('nobody')])
    expect(second).toEqual({
      version: '2',
      committedAt: expect.any(String),
      created: 1,
      updated: 1,
      deleted: 1,
      unchanged: 2,
      replayed: false,
    })
    expect(micros(second)).toBeGreaterThanOrEqual(between)
    expect(await current()).toEqual(['a 1 since 1', 'b 20 since 2', 'd 4 since 2'])
    expect(await history()).toEqual(['b 2 1-2', 'c 3 1-2'])
    await counted()
  })

  it('the same key twice: the last wins', async () => {
    await write([put('a', 1), put('b', 1), put('a', 2), remove('b'), remove('c'), put('c', 1), put('a', 3)])
    expect(await current()).toEqual(['a 3 since 1', 'c 1 since 1'])
    const second = await write([remove('a'), put('a', 3), put('c', 9), remove('c')])
    expect(second).toMatchObject({ created: 0, updated: 0, deleted: 1, unchanged: 1 })
    expect(await current()).toEqual(['a 3 since 1'])
    expect(await history()).toEqual(['c 1 1-2'])
    await counted()
  })

  it('an unchanged object makes no history, and is a version all the same', async () => {
    await write([put('a', 1)])
    expect(await write([put('a', 1)])).toMatchObject({ version: '2', created: 0, unchanged: 1 })
    expect(await write([])).toMatchObject({ version: '3', created: 0, deleted: 0, unchanged: 0 })
    expect(await current()).toEqual(['a 1 since 1'])
    expect(await history()).toEqual([])
    expect(await clock()).toEqual({ version: '3', live: '1' })
  })

  it('a change of only a struct or an array is a change', async () => {
    await write([putObject(type, { employeeId: 'a', badge: '1', tags: ['x'] })])
    expect(await write([putObject(type, { employeeId: 'a', badge: '1', tags: ['y'] })])).toMatchObject({
      updated: 1,
    })
    expect(await write([putObject(type, { employeeId: 'a', badge: '1' })])).toMatchObject({ updated: 1 })
    expect(await write([putObject(type, { employeeId: 'a', badge: '1', tags: [] })])).toMatchObject({
      updated: 1,
    })
    expect(await history()).toHaveLength(3)
  })

  it('an object that goes and comes back has a gap in its history', async () => {
    await write([put('a', 1)])
    await write([remove('a')])
    await write([put('a', 1)])
    await write([put('a', 2)])
    expect(await history()).toEqual(['a 1 1-2', 'a 1 3-4'])
    expect(await Promise.all(['0', '1', '2', '3', '4'].map(liveAt))).toEqual([0, 1, 0, 1, 1])
  })

  it('an idempotency key that was used for the same changes gives the first receipt and writes nothing', async () => {
    const once = { key: 'k', digest: 'd' }
    const first = await write([put('a', 1)], once)
    await write([put('a', 2)])
    expect(await write([put('a', 1)], once)).toEqual({ ...first, replayed: true })
    expect(await current()).toEqual(['a 2 since 2'])
    expect(await clock()).toEqual({ version: '2', live: '1' })
  })

  it('an idempotency key that was used for other changes is refused', async () => {
    await write([put('a', 1)], { key: '#1', digest: 'd' })
    await expect(write([put('a', 2)], { key: '#1', digest: 'e' })).rejects.toMatchObject(
      errorNamed('IdempotencyKeyConflict', { idempotencyKey: '#1' }),
    )
    expect(await clock()).toEqual({ version: '1', live: '1' })
    await write([put('a', 2)], { key: '#2', digest: 'd' })
    expect(await clock()).toEqual({ version: '2', live: '1' })
  })

  it('the same key at the same time is committed once', async () => {
    const receipts = await Promise.all(
      Array.from({ length: 6 }, () => write([put('a', 1)], { key: 'k', digest: 'd' })),
    )
    expect(receipts.filter(({ replayed }) => !replayed)).toHaveLength(1)
    expect(new Set(receipts.map(({ version }) => version))).toEqual(new Set(['1']))
  })

  it('a commit that fails leaves nothing behind', async () => {
    await write([put('a', 1)])
    const good = put('b', 1)
    const bad: Change = {
      kind: 'put',
      object: { key: 'c', scalars: 'x', others: null, columns: type.columns.map(() => 'not a number') },
    }
    await expect(write([good, remove('a'), bad])).rejects.toMatchObject({ code: '22P02' })
    expect(await current()).toEqual(['a 1 since 1'])
    expect(await history()).toEqual([])
    expect(await clock()).toEqual({ version: '1', live: '1' })
    expect(await rows(`select count(*) as n from ${type.tables.commits}`)).toEqual([{ n: '2' }])
    expect(await rows(`select count(*) as n from ${type.tables.staged}`)).toEqual([{ n: '0' }])
    expect(await write([good])).toMatchObject({ version: '2' })
  })

  it('a commit for an older definition leaves nothing behind', async () => {
    await store.applyObjectType(ontology, { ...employeeDefinition, displayName: 'Staff' })
    await expect(write([put('a', 1)])).rejects.toThrow(StaleDefinition)
    expect(await current()).toEqual([])
    expect(await clock()).toEqual({ version: '0', live: '0' })
    expect(await rows(`select count(*) as n from ${type.tables.staged}`)).toEqual([{ n: '0' }])
  })

  it('many at once each get a version of their own, without a gap, and the live count stays exact', async () => {
    const receipts = await Promise.all(
      Array.from({ length: 30 }, (_, i) =>
        write([put(`k${i % 7}`, i), ...(i % 3 === 0 ? [remove(`k${(i + 1) % 7}`)] : [])]),
      ),
    )
    expect(receipts.map(({ version }) => Number(version)).toSorted((a, b) => a - b)).toEqual(
      Array.from({ length: 30 }, (_, i) => i + 1),
    )
    await counted()
    // The count of each version is the number of objects that it shows.
    for (const { version, live } of await rows(
      `select version, live from ${type.tables.commits} where object_type = ${type.id}`,
    )) {
      const walk = await readWalk({
        readPage: store.readPage,
        type,
        pageSize: () => 5,
        at: await snapshotAt(store, type, version ?? ''),
      })
      expect(String(walk.objects.length)).toBe(live)
    }
  })
})

describe('P36: the time of a commit, from which on the version before is kept for the retention', () => {
  it('is that of its end, however long a batch is sent', async () => {
    let sent = 0
    async function* slowly() {
      yield { type, changes: [put('a', 1)] }
      await sleep(300)
      yield { type, changes: [put('b', 1)] }
      sent = await databaseTime()
    }
    const receipt = await store.stage({ chunks: slowly() })
    expect(micros(receipt)).toBeGreaterThanOrEqual(sent)
  })

  it('is that of the end of the applying, not of its beginning', async () => {
    await store.commit({ parts: [{ type, changes: [put('a', 1)] }] })
    const { lockedUntil, writing } = await store.database.transaction(async (transaction) => {
      // A commit that writes this row now blocks in the middle of its statement.
      await transaction.rows({ text: `select 1 from ${type.tables.current} for update`, values: [] })
      const begun = store.commit({ parts: [{ type, changes: [put('a', 2)] }] })
      await sleep(300)
      return { lockedUntil: await databaseTime(), writing: () => begun }
    })
    expect(micros(await writing())).toBeGreaterThanOrEqual(lockedUntil)
  })

  it('is that of the database, whatever the clock of the instance says', async () => {
    for (const offset of [-7_200_000, 7_200_000]) {
      const wrong = openTestStore({ databaseUrl: database.url }, { now: () => new Date(Date.now() + offset) })
      try {
        await wrong.database.rows({ text: 'select 1', values: [] })
        const before = await databaseTime()
        const parts = [{ type, changes: [put('a', offset)] }]
        const receipts = [await wrong.commit({ parts }), await wrong.stage({ chunks: parts })]
        const after = await databaseTime()
        for (const receipt of receipts) {
          expect(micros(receipt)).toBeGreaterThanOrEqual(before)
          expect(micros(receipt)).toBeLessThanOrEqual(after)
        }
      } finally {
        await wrong.database.close()
      }
    }
  })

  it('is never before that of the commit before, also if the clock of the database was set back', async () => {
    await store.commit({ parts: [{ type, changes: [put('a', 1)] }] })
    await letTimePass(store, type, -3_600)
    const receipt = await store.commit({ parts: [{ type, changes: [put('a', 2)] }] })
    expect(micros(receipt)).toBeGreaterThan((await databaseTime()) + 3_000_000_000)
  })
})

describe('a commit of several types', () => {
  let other: ObjectType
  beforeEach(async () => {
    other = await store.applyObjectType(ontology, { ...employeeDefinition, apiName: 'manager' })
  })
  const both = (age: number, idempotency?: CommitFacts['idempotency'], types = [type, other]) =>
    store.commit({ parts: types.map((each) => ({ type: each, changes: [put('a', age)] })), idempotency })

  it('is one version of all of them, the greatest of theirs and one more', async () => {
    await store.commit({ parts: [{ type, changes: [put('x', 1)] }] })
    await store.commit({ parts: [{ type, changes: [put('x', 2)] }] })
    expect(await both(1)).toMatchObject({ version: '3', created: 2, deleted: 0, unchanged: 0 })
    expect(await clock()).toEqual({ version: '3', live: '2' })
    expect(await clock(other)).toEqual({ version: '3', live: '1' })
    expect(await both(1)).toMatchObject({ version: '4', created: 0, updated: 0, unchanged: 2 })
    const [tags] = await rows(
      `select count(*) as n, count(distinct tag) as tags from ${type.tables.commits} where version = 4`,
    )
    expect(tags).toEqual({ n: '2', tags: '1' })
    const staged = await store.stage({
      chunks: [type, other].map((each) => ({ type: each, changes: [put('a', 7)] })),
    })
    const times = await rows(`select version, count(*) as types, count(distinct committed_at) as times
from ${type.tables.commits} where version in (3, 4, 5) group by version having count(*) > 1 order by version`)
    expect(staged.version).toBe('5')
    expect(times).toEqual(['3', '4', '5'].map((version) => ({ version, types: '2', times: '1' })))
  })

  it('is replayed by its idempotency key, and refused for other changes or other types', async () => {
    const once = { key: 'k', digest: 'd' }
    const first = await both(1, once)
    expect(await both(1, once)).toEqual({ ...first, replayed: true })
    await expect(both(2, { key: 'k', digest: 'e' })).rejects.toMatchObject({
      errorName: 'IdempotencyKeyConflict',
    })
    const third = await store.applyObjectType(ontology, { ...employeeDefinition, apiName: 'third' })
    await expect(both(1, once, [type, third])).rejects.toMatchObject({ errorName: 'IdempotencyKeyConflict' })
    expect(await clock(third)).toEqual({ version: '0', live: '0' })
    expect(await clock()).toEqual({ version: '1', live: '1' })
  })

  it('leaves nothing of any type when one of them fails or is old', async () => {
    const bad: Change = {
      kind: 'put',
      object: { key: 'c', scalars: 'x', others: null, columns: type.columns.map(() => 'no') },
    }
    const failing = store.commit({
      parts: [
        { type, changes: [put('a', 1)] },
        { type: other, changes: [bad] },
      ],
    })
    await expect(failing).rejects.toMatchObject({ code: '22P02' })
    await store.applyObjectType(ontology, { ...employeeDefinition, apiName: 'manager', displayName: 'New' })
    await expect(both(1)).rejects.toThrow(StaleDefinition)
    expect(await current()).toEqual([])
    expect(await clock()).toEqual({ version: '0', live: '0' })
    expect(await clock(other)).toEqual({ version: '0', live: '0' })
  })

  it('at once in both orders do not wait for each other for ever', async () => {
    await Promise.all(
      Array.from({ length: 20 }, (_, i) => both(i, undefined, i % 2 === 0 ? [type, other] : [other, type])),
    )
    expect(await clock()).toEqual({ version: '20', live: '1' })
    expect(await clock(other)).toEqual({ version: '20', live: '1' })
  })
})

it.each(['at once', 'staged'])(
  'a commit looks at the one before it and at what it changes, however many there are: %s',
  async (way) => {
    const tables = [type.tables.commits, type.tables.changes, type.tables.history]
    const fetched = async (): Promise<number> => {
      const names = tables.map((name) => `'${name.split('.')[1]}'`).join()
      const [row] = await rows(
        `select max(coalesce(idx_tup_fetch, 0) + coalesce(seq_tup_read, 0)) as most from pg_stat_user_tables where schemaname = '${type.schema}' and relname in (${names})`,
      )
      return Number(row?.['most'])
    }
    const commits = 150
    const ending = openTestStore({ databaseUrl: database.url })
    await ending.database.rows({ text: 'select 1', values: [] })
    for (let i = 0; i < commits; i += 1) {
      const parts = [{ type, changes: [put('a', i)] }]
      await (way === 'staged' ? ending.stage({ chunks: parts }) : ending.commit({ parts }))
    }
    // A session tells what it has read when it ends.
    await ending.database.close()
    await expect.poll(fetched).toBeGreaterThanOrEqual(commits)
    expect(await fetched()).toBeLessThan(12 * commits)
  },
)
