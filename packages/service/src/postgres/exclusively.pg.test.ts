import { setTimeout as sleep } from 'node:timers/promises'
import { freshDatabase, forAllTests } from '@octavo/dev-database/vitest'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createPool } from './create-pool.ts'
import { openDatabase, type Database } from './database.ts'
import { exclusivelyWith } from './exclusively.ts'

const fresh = forAllTests(freshDatabase)
let database: Database
const open = () =>
  openDatabase(
    createPool({ databaseUrl: fresh.url, databasePoolSize: 1, statementTimeoutSeconds: 30 }, () => {}),
  )

beforeAll(async () => {
  database = open()
})
afterAll(() => database.close())

it('work of one name is done by one at a time, and others wait or go away', async () => {
  const exclusively = exclusivelyWith(open)
  let underWay = 0
  let most = 0
  const work = async (result: number) => {
    underWay += 1
    most = Math.max(most, underWay)
    await sleep(50)
    underWay -= 1
    return result
  }
  expect(await Promise.all([1, 2, 3].map((n) => exclusively('a', () => work(n))))).toEqual([1, 2, 3])
  expect(most).toBe(1)
  await exclusively('a', async () => {
    expect(await exclusively.ifFree('a', () => work(4))).toBeUndefined()
    expect(await exclusively.ifFree('b', () => work(5))).toBe(5)
  })
  await expect(exclusively('a', () => Promise.reject(new Error('failed')))).rejects.toThrow('failed')
  expect(await exclusively.ifFree('a', () => work(6))).toBe(6)
})

it('an index can be built while the lock is held and others wait for it', async () => {
  const exclusively = exclusivelyWith(open)
  await database.run('create table t (a integer)')
  const others: Promise<string>[] = []
  await exclusively('index', async () => {
    others.push(exclusively('index', async () => 'next'))
    await sleep(300)
    await database.run('create index concurrently t_a on t (a)')
  })
  expect(await Promise.all(others)).toEqual(['next'])
})

it('who waits for the lock keeps no transaction open, so that an index build cannot wait for it', async () => {
  const exclusively = exclusivelyWith(open)
  const longestOf = async () => {
    const [row] = await database.rows({
      text: `select coalesce(max(extract(epoch from now() - xact_start)), 0) as seconds from pg_stat_activity
where datname = current_database() and pid <> pg_backend_pid() and pid <> $1::integer`,
      values: [holder],
    })
    return Number(row?.['seconds'])
  }
  let holder = '0'
  const others: Promise<unknown>[] = []
  await exclusively('waited for', async () => {
    const [found] = await database.rows({
      text: "select pid from pg_stat_activity where state = 'idle in transaction' and datname = current_database()",
      values: [],
    })
    holder = found?.['pid'] ?? '0'
    others.push(...[1, 2, 3].map(() => exclusively('waited for', async () => {})))
    await sleep(1_500)
    expect(await longestOf()).toBeLessThan(1)
  })
  await Promise.all(others)
})

it('the lock outlasts the time that other transactions may be idle', async () => {
  const impatient = () =>
    openDatabase(
      createPool({ databaseUrl: fresh.url, databasePoolSize: 1, statementTimeoutSeconds: 1 }, () => {}),
    )
  const settings = impatient()
  try {
    const [row] = await settings.rows({
      text: "select setting::integer as ms from pg_settings where name = 'idle_in_transaction_session_timeout'",
      values: [],
    })
    expect(Number(row?.['ms'])).toBeGreaterThan(0)
    const exclusively = exclusivelyWith(impatient)
    await exclusively('long', async () => {
      const [holder] = await database.rows({
        text: "select state from pg_stat_activity where state = 'idle in transaction' and application_name = 'octavo'",
        values: [],
      })
      expect(holder).toBeDefined()
      await sleep(Number(row?.['ms']) + 1_000)
      expect(await exclusively.ifFree('long', async () => 'taken')).toBeUndefined()
    })
  } finally {
    await settings.close()
  }
})
