import { seededRandom } from '@octavo/model'
import type { OldestReadable, Snapshot } from '@octavo/protocol'
import { forAllTests } from '@octavo/dev-database/vitest'
import { expect, it } from 'vitest'
import { compileStateQuery } from '../../src/read/sql/compile-state-query.ts'
import { answerOf } from '../support/answer-of.ts'
import { readState, sorted, type Copy } from '../support/changes-over-http.ts'
import { refusalOf } from '../support/error-answer.ts'
import { letTimePass } from '../support/let-time-pass.ts'
import { itemDefinition } from '../support/load-items.ts'
import { manageOverHttp, put, remove } from '../support/manage-over-http.ts'
import { jsonBody } from '../support/page-revisions.ts'
import { serveOnFreshDatabase } from '../support/serve-on-fresh-database.ts'
import { contentOf } from '../support/walk-over-http.ts'
import { errorNamed } from '../support/named-errors.ts'

const service = forAllTests(serveOnFreshDatabase)
const manage = manageOverHttp(service)

const path = '/api/promised/v1/snapshots'

const snapshot = async (body: unknown): Promise<Snapshot> => {
  return contentOf<Snapshot>(answerOf(service, path, jsonBody(body)))
}

const refused = async (body: unknown) => refusalOf(await answerOf(service, path, jsonBody(body)))

const copyAt = async (objectType: string, snapshotToken: string): Promise<readonly string[]> => {
  const { copy } = await readState(service, { objectType, asks: { snapshotToken } })
  return sorted(copy)
}

const newType = (name: string) => service.store.applyObjectType(service.ontology, itemDefinition(name))

interface Moment {
  readonly committedAt: string
  readonly versions: Readonly<Record<string, string>>
  readonly copies: Readonly<Record<string, Copy>>
}

it('P283: the state at the time of any commit, of several types that are committed together and apart', async () => {
  const random = seededRandom(9)
  const names = ['order', 'line'] as const
  for (const name of names) await newType(name)
  const moments: Moment[] = []
  for (let rank = 0; rank < 30; rank += 1) {
    const some = random.pick([['order'], ['line'], names, names])
    const lines = some.flatMap((type) => {
      const id = `i${random.integer(0, 5)}`
      return [random.chance(0.3) ? remove(id, type) : put({ id, rank }, type)]
    })
    const { committedAt } = await manage.commit(lines, {})
    const now = await snapshot({ objectTypes: names })
    const copies: Record<string, Copy> = {}
    for (const name of names) {
      const asks = { snapshotToken: now.snapshotToken }
      copies[name] = (await readState(service, { objectType: name, asks })).copy
    }
    moments.push({ committedAt, versions: now.versions, copies })
  }
  for (const { committedAt, versions, copies } of moments) {
    const then = await snapshot({ objectTypes: names, at: committedAt })
    expect(then.versions, committedAt).toEqual(versions)
    for (const name of names)
      expect(await copyAt(name, then.snapshotToken)).toEqual(sorted(copies[name] ?? new Map()))
  }
  // Just before a commit, it is not there, of no type.
  const microsecond = (time: string) => {
    const [whole = '', fraction = ''] = time.slice(0, -1).split('.')
    const before = BigInt(`${Date.parse(`${whole}Z`) / 1_000}${fraction.padEnd(6, '0')}`) - 1n
    const seconds = new Date(Number(before / 1_000_000n) * 1_000).toISOString().slice(0, 19)
    return `${seconds}.${String(before % 1_000_000n).padStart(6, '0')}+00:00`
  }
  for (const [i, { committedAt }] of moments.entries()) {
    const before = moments[i - 1]
    if (before === undefined) continue
    const then = await snapshot({ objectTypes: names, at: microsecond(committedAt) })
    expect(then.versions, committedAt).toEqual(before.versions)
  }
})

it('P284: the state of any version of a type, also of a number that it has skipped', async () => {
  for (const name of ['fast', 'slow']) await newType(name)
  const copies = new Map<number, readonly string[]>()
  let newest = 0
  for (let rank = 0; rank < 8; rank += 1) {
    for (let i = 0; i < 3; i += 1) await manage.commit([put({ id: 'a', rank: i }, 'fast')], {})
    const both = [put({ id: 'b', rank }, 'fast'), put({ id: `c${rank % 3}`, rank }, 'slow')]
    newest = Number((await manage.commit(both, {})).version)
    const { snapshotToken } = await snapshot({ objectTypes: ['slow'] })
    copies.set(newest, await copyAt('slow', snapshotToken))
  }
  let last: readonly string[] = []
  for (let version = 0; version <= newest; version += 1) {
    last = copies.get(version) ?? last
    const then = await snapshot({ objectTypes: ['slow', 'slow'], version: String(version) })
    expect(await copyAt('slow', then.snapshotToken), `version ${version}`).toEqual(last)
    const named = Number(then.versions['slow'])
    expect(named <= version && (named === 0 || copies.has(named))).toBe(true)
  }
  expect(await refused({ objectTypes: ['slow'], version: String(newest + 1) })).toMatchObject({
    status: 422,
    parameters: { path: '/version', problem: `it must be a version up to ${newest}, which is the latest` },
  })
})

it('P284: what is no longer kept is refused, with the oldest time and version that are', async () => {
  const [kept, other] = [await newType('kept'), await newType('other')]
  const commit = (rank: number) => manage.commit([put({ id: 'a', rank })], { objectType: 'kept' })
  const { committedAt: lost } = await commit(1)
  await commit(2)
  for (const type of [kept, other]) await letTimePass(service.store, type, 5_000)
  const times = { retentionSeconds: 3_600, settleSeconds: 0, commitsKeptSeconds: 100_000 }
  await service.store.prune(kept, times)
  const { version: newest } = await commit(3)
  const earlier = (seconds: number) => new Date(Date.parse(lost) - seconds * 1_000).toISOString()
  const old = await refused({ objectTypes: ['kept', 'other'], at: earlier(5_010) })
  expect(old).toMatchObject({ status: 409, errorName: 'SnapshotTooOld', parameters: { objectType: 'kept' } })
  const { oldestReadable } = old.parameters as { readonly oldestReadable: OldestReadable }
  expect(oldestReadable.version).toBe('2')
  expect(await refused({ objectTypes: ['kept'], version: '1' })).toMatchObject(
    errorNamed('SnapshotTooOld', { objectType: 'kept', oldestReadable }),
  )
  // The oldest that is named can be read, and nothing before it.
  const oldest = await snapshot({ objectTypes: ['kept', 'other'], at: oldestReadable.committedAt })
  expect(oldest.versions['kept']).toBe('2')
  expect(await copyAt('kept', oldest.snapshotToken)).toHaveLength(1)
  // It has been replaced just now, so it is kept for an hour from then on.
  const minutes = (Date.parse(oldest.readableUntil) - Date.now()) / 60_000
  expect(minutes).toBeGreaterThan(59)
  expect(minutes).toBeLessThan(61)
  const second = await snapshot({ objectTypes: ['kept'], version: oldestReadable.version })
  expect(second.versions['kept']).toBe('2')
  expect(newest).toBe('3')
})

it('P283, P284: what cannot be named is refused by its place', async () => {
  const at = '2026-05-01T09:30:00Z'
  expect(await refused({ at: '2999-01-01T00:00:00Z' })).toMatchObject({
    status: 422,
    parameters: { path: '/at' },
  })
  for (const body of [{ at: 'yesterday' }, { at: '2026-05-01' }, { at: '2026-05-01T09:30:00' }])
    expect(await refused(body)).toMatchObject({ status: 422, parameters: { path: '/at' } })
  const one = { objectTypes: ['order'] }
  expect(await refused({ ...one, at, version: '1' })).toMatchObject({ parameters: { path: '/version' } })
  for (const version of ['x', '-1', '9'.repeat(30), 7])
    expect(await refused({ ...one, version })).toMatchObject({
      status: 422,
      parameters: { path: '/version' },
    })
  for (const body of [{ version: '1' }, { objectTypes: ['order', 'line'], version: '1' }])
    expect(await refused(body)).toMatchObject({ status: 422, parameters: { path: '/objectTypes' } })
})

it('P283: the commit of a time is found without looking at all that follow it', async () => {
  const type = await newType('long')
  const { database } = service.store
  await database.rows({
    text: `insert into ${type.tables.commits} (object_type, version, committed_at, tag, live, created, updated, deleted, unchanged, epoch, checksum)
select $1::integer, 3 * n, timestamp '2020-01-01' + n * interval '1 second', lpad(to_hex(n), 16, '0'), 0, 0, 0, 0, 0, 1, 0 from generate_series(1, 20000) as n`,
    values: [type.id],
  })
  await database.rows({
    text: `update ${type.tables.commits} set committed_at = timestamp '2020-01-01' where object_type = $1 and version = 0`,
    values: [type.id],
  })
  await database.rows({
    text: `update ${type.tables.clock} set version = 60000 where object_type = $1`,
    values: [type.id],
  })
  for (const n of [1, 2, 77, 9_999, 10_000, 19_999, 20_000]) {
    const at = new Date(Date.parse('2020-01-01T00:00:00Z') + n * 1_000 + 500).toISOString()
    const { versions } = await snapshot({ objectTypes: ['long'], at })
    expect(versions).toEqual({ long: String(3 * n) })
  }
  await database.rows({ text: `analyze ${type.tables.commits}`, values: [] })
  const { text, values } = compileStateQuery([type], { at: '2020-01-01T00:00:30Z' })
  const [plan] = await database.rows({ text: `explain (analyze, buffers, format json) ${text}`, values })
  const [{ Plan: top }] = JSON.parse(plan?.['QUERY PLAN'] ?? '') as [{ Plan: Record<string, number> }]
  // Sixteen times the levels of an index, and not the 200 blocks of the table.
  expect(Number(top['Shared Hit Blocks']) + Number(top['Shared Read Blocks'])).toBeLessThan(120)
})
