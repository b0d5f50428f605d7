import { freshDatabase, type FreshDatabase } from '@octavo/dev-database/vitest'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { SqlQuery } from '../sql/sql-query.ts'
import { createPool } from './create-pool.ts'
import { openDatabase, type Database } from './database.ts'

let fresh: FreshDatabase
let database: Database
const poolSize = 4
let isBusy = true

beforeEach(async () => {
  isBusy = true
  fresh = await freshDatabase()
  database = open(poolSize)
})

afterEach(async () => {
  await database.close()
  await fresh.drop()
})

const open = (size: number) =>
  openDatabase(
    createPool(
      {
        databaseUrl: fresh.url,
        databasePoolSize: size,
        statementTimeoutSeconds: 20,
        // A service that always has something to do lets pages share; one with nothing to do waits all the time.
        idleMs: () => (isBusy ? 0 : performance.now()),
      },
      () => {},
    ),
  )

/** As pages without a filter are sent. */
const page = (text: string, ...values: SqlQuery['values']): SqlQuery => ({
  text,
  values,
  shape: { text, values, places: values.map((_value, i) => i) },
})

const ask = async (query: SqlQuery, { signal, from = database }: Asked = {}): Promise<string | undefined> =>
  (await from.bytes(query, signal))?.[0]?.toString()

interface Asked {
  readonly signal?: AbortSignal
  readonly from?: Database
}

const echo = page('select $1::text', '')
const echoOf = (text: string): SqlQuery => ({ ...echo, values: [text] })
const sleeping = (seconds: number) => page(`select pg_sleep(${seconds})::text || $1`, '')

/** Until pages are known to be quick. */
const learn = async (from?: Database) => {
  for (let i = 0; i < 60; i += 1) await ask(echoOf('x'), { ...(from && { from }) })
}

it('quick pages that come at the same time are answered by few connections, each with what is its own', async () => {
  await learn()
  for (let round = 0; round < 30; round += 1) {
    const texts = Array.from({ length: 12 }, (_, i) => `${round} ${i} `.repeat(i % 3 === 0 ? 20_000 : 10))
    expect(await Promise.all(texts.map((text) => ask(echoOf(text))))).toEqual(texts)
  }
  const pidOf = page('select pg_backend_pid()::text || $1', '')
  const pids = await Promise.all(Array.from({ length: 4 }, () => ask(pidOf)))
  expect(new Set(pids).size).toBe(1)
})

it('while the service has nothing to do, each page has a connection for itself', async () => {
  await learn()
  isBusy = false
  await learn()
  const pidOf = page('select pg_backend_pid()::text || $1', '')
  const pids = await Promise.all(Array.from({ length: poolSize }, () => ask(pidOf)))
  expect(new Set(pids).size).toBe(poolSize)
})

it('a page that takes long keeps nobody waiting but those that came right after it', async () => {
  await learn()
  const slow = ask(sleeping(1))
  isBusy = false
  await sleep(20)
  const started = Date.now()
  await Promise.all(Array.from({ length: 10 }, () => ask(echoOf('x'))))
  expect(Date.now() - started).toBeLessThan(500)
  await slow
})

it('a page that nobody waits for is cancelled if it is alone', async () => {
  await learn()
  const started = Date.now()
  await expect(ask(sleeping(15), { signal: AbortSignal.timeout(100) })).rejects.toMatchObject({
    code: '57014',
  })
  expect(Date.now() - started).toBeLessThan(5_000)
})

it('pages on one connection that nobody waits for any more are all cancelled, and it is used again', async () => {
  const one = open(1)
  await learn(one)
  const gone = new AbortController()
  const asked = Array.from({ length: 4 }, () => ask(sleeping(15), { signal: gone.signal, from: one }))
  const ended = Promise.allSettled(asked)
  await sleep(100)
  expect(one.connections()).toMatchObject({ open: 1, waiting: 0 })
  const started = Date.now()
  gone.abort(new Error('gone'))
  expect((await ended).map(({ status }) => status)).toEqual(asked.map(() => 'rejected'))
  for (let i = 0; i < 20; i += 1) expect(await ask(echoOf('x'), { from: one })).toBe('x')
  expect(Date.now() - started).toBeLessThan(5_000)
  await one.close()
})

it('a cancel that comes too late for its pages stops nobody else', async () => {
  const one = open(1)
  await learn(one)
  for (let round = 0; round < 20; round += 1) {
    const gone = new AbortController()
    // Answered by the time that the server hears of the cancel.
    const left = Array.from({ length: 4 }, () => ask(echoOf('x'), { signal: gone.signal, from: one }))
    const ended = Promise.allSettled(left)
    gone.abort(new Error('gone'))
    expect(await ask(sleeping(0.02), { from: one })).toBe('')
    await ended
  }
  await one.close()
})

it('among others a page that nobody waits for is left, and the others get theirs', async () => {
  await learn()
  const gone = new AbortController()
  const left = ask(sleeping(0.4), { signal: gone.signal }).catch((error: Error) => error.message)
  const others = Promise.all([ask(echoOf('a')), ask(sleeping(0.2)), ask(echoOf('b'))])
  await sleep(50)
  gone.abort(new Error('gone'))
  expect(await left).toBe('gone')
  expect(await others).toEqual(['a', '', 'b'])
  // What was left is answered by then, and nothing of it comes to anybody else.
  const texts = Array.from({ length: 8 }, (_, i) => `${i}`)
  expect(await Promise.all(texts.map((text) => ask(echoOf(text))))).toEqual(texts)
})

it('a page that fails takes no other with it, not even one of the same statement', async () => {
  await learn()
  const failing = (by: number): SqlQuery => ({ ...page('select (1 / $1::integer)::text', 0), values: [by] })
  const unknown = page('select nothing from octavo.nowhere where $1::text is null', '')
  const asked = await Promise.allSettled([
    ask(failing(0)),
    ask(failing(1)),
    ask(unknown),
    ask(unknown),
    ask(echoOf('x')),
  ])
  expect(asked.map((each) => (each.status === 'fulfilled' ? each.value : each.reason?.code))).toEqual([
    '22012',
    '1',
    '42P01',
    '42P01',
    'x',
  ])
})

it('when a connection ends, all pages on it fail, and none after them', async () => {
  const ending = page('select pg_terminate_backend(pg_backend_pid())::text || $1', '')
  await learn()
  const asked = await Promise.allSettled([ask(ending), ask(echoOf('x')), ask(echoOf('y'))])
  for (let i = 0; i < 10; i += 1) expect(await ask(echoOf('z'))).toBe('z')
  expect(database.connections()).toMatchObject({ waiting: 0 })
  expect(asked.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
})

it('whoever needs a connection for themselves gets one, however many pages share the only one', async () => {
  const one = open(1)
  await learn(one)
  const over = new AbortController()
  // So few that all of them find room on it, and never all answered at once.
  const readers = Array.from({ length: 3 }, async (_, i) => {
    const counting = page(`select count(*)::text || $1 from generate_series(1, ${2_000 + 500 * i})`, '')
    while (!over.signal.aborted) await ask(counting, { from: one })
  })
  for (let i = 0; i < 200; i += 1) {
    const rows = await one.transaction((transaction) =>
      transaction.rows({ text: 'select $1::text as n', values: [String(i)] }),
    )
    expect(rows).toEqual([{ n: String(i) }])
  }
  over.abort()
  await Promise.all(readers)
  await one.close()
})
