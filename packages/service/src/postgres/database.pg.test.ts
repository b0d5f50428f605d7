import { freshDatabase, type FreshDatabase } from '@octavo/dev-database/vitest'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { SqlQuery } from '../base/sql-query.ts'
import { createPool } from './create-pool.ts'
import { openDatabase, type Database } from './database.ts'
import { OutcomeUnknown } from './outcome-unknown.ts'

let fresh: FreshDatabase
let database: Database
const lost: unknown[] = []

// One connection, so that the next statement meets whatever the previous one left behind.
const openOne = (size = 1, statementTimeoutSeconds = 20) =>
  openDatabase(
    createPool({ databaseUrl: fresh.url, databasePoolSize: size, statementTimeoutSeconds }, (observation) =>
      lost.push(observation),
    ),
  )

beforeEach(async () => {
  lost.length = 0
  fresh = await freshDatabase()
  database = openOne()
  await database.run('create table octavo.probe (id integer primary key, note text)')
})

afterEach(async () => {
  await database.run('drop table octavo.probe')
  await database.close()
  await fresh.drop()
})

const sql = (text: string, ...values: SqlQuery['values']): SqlQuery => ({ text, values })
const insert = (id: number) => sql('insert into octavo.probe (id) values ($1::integer)', id)
const count = async () => (await database.rows(sql('select count(*) as n from octavo.probe')))[0]?.['n']
const pid = async () => (await database.rows(sql('select pg_backend_pid() as pid')))[0]?.['pid']
const endConnection = sql('select pg_terminate_backend(pg_backend_pid())')

it('every column arrives as the text PostgreSQL writes', async () => {
  const rows = await database.rows(
    sql(`select 9223372036854775807 as l, 1.50 as d, '0001-01-01'::date as day, timestamp '2021-05-01 12:00:00.123456' as at,
      true as b, null as n, array['a','b"'] as many, '{"a":1}'::json as j, '-0'::float8 as zero`),
  )
  expect(rows).toEqual([
    {
      l: '9223372036854775807',
      d: '1.50',
      day: '0001-01-01',
      at: '2021-05-01 12:00:00.123456',
      b: 't',
      n: null,
      many: String.raw`{a,"b\""}`,
      j: '{"a":1}',
      zero: '-0',
    },
  ])
})

it('a pipeline is one transaction: the rows of each statement, all or nothing', async () => {
  expect(await database.pipeline([insert(1), sql('select id from octavo.probe'), insert(2)])).toEqual([
    [],
    [{ id: '1' }],
    [],
  ])
  expect(await count()).toBe('2')
})

it('a failure in the middle of a pipeline undoes all of it and is reported as the cause', async () => {
  const failing = database.pipeline([insert(1), sql('select 1 / $1::integer', 0), insert(2), insert(3)])
  await expect(failing).rejects.toMatchObject({ code: '22012' })
  expect(await count()).toBe('0')
})

it('a pipeline that fails at its end, or with a text that cannot be parsed, undoes all of it', async () => {
  await expect(database.pipeline([insert(1), insert(1)])).rejects.toMatchObject({ code: '23505' })
  await expect(database.pipeline([insert(1), sql('selekt'), insert(2)])).rejects.toMatchObject({
    code: '42601',
  })
  expect(await count()).toBe('0')
  // The connection still works.
  await database.pipeline([insert(1)])
  expect(await count()).toBe('1')
})

it('pipelines and single statements on one connection do not mix', async () => {
  const work = Array.from({ length: 60 }, (_, i) =>
    i % 3 === 0
      ? database.pipeline([insert(i), sql('select 1 / $1::integer', i % 2), insert(i + 1_000)]).then(
          () => 'kept',
          () => 'undone',
        )
      : database.rows(sql('select $1::integer as i', i)).then(([row]) => row?.['i']),
  )
  const results = await Promise.all(work)
  for (const [i, result] of results.entries()) {
    expect(result).toBe(i % 3 === 0 ? (i % 2 === 1 ? 'kept' : 'undone') : String(i))
  }
  expect(await count()).toBe('20')
})

it('a transaction is undone when its work fails, and gives the cause', async () => {
  const failing = database.transaction(async (transaction) => {
    await transaction.rows(insert(1))
    throw new Error('changed my mind')
  })
  await expect(failing).rejects.toThrow('changed my mind')
  const broken = database.transaction(async (transaction) => {
    await transaction.rows(insert(1))
    await transaction.rows(insert(1))
  })
  await expect(broken).rejects.toMatchObject({ code: '23505' })
  expect(await count()).toBe('0')
  expect(await database.transaction(async (transaction) => (await transaction.rows(insert(1))).length)).toBe(
    0,
  )
  expect(await count()).toBe('1')
})

it('a connection that breaks in a transaction is reported with its cause and never used again', async () => {
  const before = await pid()
  const failing = database.transaction(async (transaction) => {
    await transaction.rows(insert(1))
    await transaction.rows(endConnection)
  })
  await expect(failing).rejects.toMatchObject({ code: '57P01' })
  expect(await pid()).not.toBe(before)
  expect(await count()).toBe('0')
})

it('a connection that breaks in a pipeline is reported with its cause and never used again', async () => {
  for (let i = 0; i < 5; i += 1) {
    const before = await pid()
    const failure: unknown = await database
      .pipeline([insert(1), endConnection, insert(2)])
      .catch((error: unknown) => error)
    // The server's final error, unless the connection closed before all statements had been sent.
    if (!(failure instanceof OutcomeUnknown)) expect(failure).toMatchObject({ code: '57P01' })
    expect(await pid()).not.toBe(before)
  }
  expect(await count()).toBe('0')
})

it('a connection that breaks while it sends bytes is never used again', async () => {
  for (let i = 0; i < 5; i += 1) {
    const before = await pid()
    const ending = sql('select pg_terminate_backend(pg_backend_pid())::text')
    await expect(database.bytes(ending)).rejects.toMatchObject({ code: '57P01' })
    expect(await pid()).not.toBe(before)
  }
})

it('a page that nobody waits for any more is cancelled, and the connection stays usable', async () => {
  const before = await pid()
  const started = Date.now()
  const waiting = database.bytes(sql('select pg_sleep(15)::text'), AbortSignal.timeout(200))
  await expect(waiting).rejects.toMatchObject({ code: '57014' })
  expect(Date.now() - started).toBeLessThan(5_000)
  expect(await pid()).toBe(before)
  await expect(
    database.bytes(sql('select $1::text', 'x'), AbortSignal.abort(new Error('gone'))),
  ).rejects.toThrow('gone')
})

it('a connection that breaks while idle is replaced', async () => {
  const before = await pid()
  const other = openOne()
  await other.rows(sql('select pg_terminate_backend($1::integer)', before ?? ''))
  await other.close()
  for (let i = 0; lost.length === 0 && i < 100; i += 1)
    await new Promise((resolve) => setTimeout(resolve, 20))
  expect(lost).toMatchObject([{ kind: 'database-connection-lost' }])
  expect(await pid()).not.toBe(before)
})

// Larger than many reads of a socket, and without any single-byte character.
const large = 'é😀漢'.repeat(120_000)
const largeBytes = Buffer.from(large)

it('bytes are exactly the bytes of the text, even if they arrive in many pieces', async () => {
  for (let i = 0; i < 20; i += 1) {
    const row = await database.bytes(sql('select $1::text, null::text, $2::text', large, `small ${i} ß`))
    expect(row?.[0]?.equals(largeBytes)).toBe(true)
    expect(row?.[1]).toBeNull()
    expect(row?.[2]?.toString()).toBe(`small ${i} ß`)
  }
})

it('bytes, rows and pipelines interleaved on one connection each get what is theirs', async () => {
  const work = Array.from({ length: 40 }, async (_, i) => {
    if (i % 4 === 3) {
      const [rows] = await database.pipeline([sql('select $1::text as t', `${large.slice(0, 3_000)}${i}`)])
      return rows?.[0]?.['t'] === `${large.slice(0, 3_000)}${i}`
    }
    if (i % 2 === 0) {
      const row = await database.bytes(sql('select $1::text', `${large}${i}`))
      return row?.[0]?.equals(Buffer.concat([largeBytes, Buffer.from(String(i))])) === true
    }
    const rows = await database.rows(sql('select $1::text as t, $2::integer as i', large.slice(0, 90_000), i))
    return rows[0]?.['t'] === large.slice(0, 90_000) && rows[0]['i'] === String(i)
  })
  expect((await Promise.all(work)).every(Boolean)).toBe(true)
})

it('bytes that were handed over do not change when more arrive', async () => {
  const texts = Array.from({ length: 40 }, (_, i) => `${i} ${`é漢${i}`.repeat(i % 2 === 0 ? 5 : 20_000)}`)
  const kept: (Buffer | null | undefined)[] = []
  for (const text of texts) kept.push((await database.bytes(sql('select $1::text', text)))?.[0])
  expect(kept.map((bytes) => bytes?.toString())).toEqual(texts)
})

it('no row is nothing, and an error of the server is an error', async () => {
  expect(await database.bytes(sql('select id from octavo.probe'))).toBeUndefined()
  await expect(database.bytes(sql('select 1 / $1::integer', 0))).rejects.toMatchObject({ code: '22012' })
  expect((await database.bytes(sql('select $1::text', 'on')))?.[0]?.toString()).toBe('on')
})

it('more different statements than a connection remembers are still answered', async () => {
  for (let i = 0; i < 600; i += 1) {
    expect(await database.rows(sql(`select ${i} as n`))).toEqual([{ n: String(i) }])
  }
})

it('a connection keeps the page statements that it used last, and closes the others', async () => {
  const one = openOne()
  const page = (i: number) => one.bytes(sql(`select '${i}'::text || $1`, '!'))
  for (let i = 0; i < 620; i += 1) expect((await page(i))?.[0]?.toString()).toBe(`${i}!`)
  const prepared = await one.rows(
    sql(`select count(*), bool_or(statement like '%''619''%') as newest from pg_prepared_statements
where name like 'octavo_page_%'`),
  )
  expect(prepared).toEqual([{ count: '500', newest: 't' }])
  // A statement that was closed, and one that was not.
  expect((await page(0))?.[0]?.toString()).toBe('0!')
  expect((await page(619))?.[0]?.toString()).toBe('619!')
  await one.close()
})

it('statements of a transaction that takes its time are given up neither by the server nor by us', async () => {
  const hurried = openOne(1, 1)
  await expect(hurried.rows(sql('select pg_sleep(2)'))).rejects.toMatchObject({ code: '57014' })
  // Longer than the statement time-out of one second plus the five seconds of grace for the server's answer.
  const slept = hurried.transaction(async (transaction) => {
    await transaction.takeTime()
    await transaction.rows(insert(1))
    return transaction.rows(sql('select pg_sleep(6.5)::text as slept'))
  })
  expect(await slept).toEqual([{ slept: '' }])
  expect(await count()).toBe('1')
  await hurried.close()
}, 30_000)

it('what runs outside a transaction has no limit, and leaves no connection without one', async () => {
  const hurried = openOne(1, 1)
  await hurried.run('select pg_sleep(1.5)')
  expect(await hurried.rows(sql('show statement_timeout'))).toEqual([{ statement_timeout: '1s' }])
  await hurried.close()
})

it('a question that is not answered in time is given up, and so are the connections of that time', async () => {
  const several = openOne(3)
  const pids = () =>
    Promise.all(
      Array.from({ length: 3 }, async () => {
        const rows = await several.rows(sql('select pg_backend_pid() as pid, pg_sleep(0.05)::text'))
        return rows[0]?.['pid']
      }),
    )
  const before = await pids()
  expect(new Set(before).size).toBe(3)
  await expect(several.within(100).rows(sql('select pg_sleep(10)'))).rejects.toThrow('Query read timeout')
  for (const pid of await pids()) expect(before).not.toContain(pid)
  await several.close()
})

it('a page that a silent server does not answer is given up, with its connection', async () => {
  const hurried = openOne(1, 1)
  const pidOf = async () => Number((await hurried.rows(sql('select pg_backend_pid() as pid')))[0]?.['pid'])
  const silent = await pidOf()
  process.kill(silent, 'SIGSTOP')
  try {
    await expect(hurried.bytes(sql('select $1::text', 'x'))).rejects.toThrow('Query read timeout')
  } finally {
    process.kill(silent, 'SIGCONT')
  }
  expect(await pidOf()).not.toBe(silent)
  await hurried.close()
}, 20_000)

it('a commit that the server refuses is refused, one whose connection ends with it is of unknown outcome', async () => {
  await database.run(
    'create table octavo.late (id integer references octavo.probe deferrable initially deferred)',
  )
  const late = sql('insert into octavo.late values (1)')
  await expect(database.transaction((transaction) => transaction.rows(late))).rejects.toMatchObject({
    code: '23503',
  })
  await expect(database.pipeline([late])).rejects.toMatchObject({ code: '23503' })
  await database.run('drop table octavo.late')
  await database.run(
    `create function octavo.end_it() returns trigger language plpgsql as
      'begin perform pg_terminate_backend(pg_backend_pid()); return new; end'`,
  )
  await database.run(
    `create constraint trigger end_it after insert on octavo.probe deferrable initially deferred
      for each row execute function octavo.end_it()`,
  )
  await expect(database.transaction((transaction) => transaction.rows(insert(1)))).rejects.toThrow(
    OutcomeUnknown,
  )
  await expect(database.pipeline([insert(1)])).rejects.toThrow(OutcomeUnknown)
  expect(await count()).toBe('0')
  await database.run('drop function octavo.end_it cascade')
})

const asked = async (text: string, signal?: AbortSignal) =>
  (await database.bytes(sql(text), signal))?.[0]?.toString()
const pidAsked = () => asked('select pg_backend_pid()::text')

it('a statement that was given up while it was parsed leaves every other one usable on its connection', async () => {
  const locker = openOne(2)
  // As many as a connection keeps; the next one evicts the first.
  const kept = (i: number) => `select '${i}'::text`
  for (let i = 0; i < 500; i += 1) await asked(kept(i))
  const before = await pid()
  const gone = new AbortController()
  await locker.transaction(async (transaction) => {
    await transaction.run('lock table octavo.probe in access exclusive mode')
    const given = asked('select count(*)::text from octavo.probe', gone.signal)
    given.catch(() => {})
    await expect
      .poll(async () => {
        const waiting = `select count(*) as n from pg_stat_activity where wait_event_type = 'Lock' and query like '%octavo.probe'`
        // Outside the transaction, which would see the same activity however often it looks.
        return (await locker.rows(sql(waiting)))[0]?.['n']
      })
      .toBe('1')
    gone.abort(new Error('gone'))
    await expect(given).rejects.toMatchObject({ code: '57014' })
  })
  await locker.close()
  for (const i of [0, 499, 1, 0]) expect(await asked(kept(i))).toBe(String(i))
  expect(await asked('select count(*)::text from octavo.probe')).toBe('0')
  expect(await pid()).toBe(before)
})

it('a statement that the server has forgotten is parsed again, on the same connection', async () => {
  const before = await pidAsked()
  await database.transaction((transaction) => transaction.run('deallocate all'))
  expect(await pidAsked()).toBe(before)
  expect(await pidAsked()).toBe(before)
})

it('a connection that knows a name for something else is left for another one', async () => {
  const before = await database.transaction(async (transaction) => {
    await transaction.run("prepare octavo_page_1 as select 'another'")
    return (await transaction.rows(sql('select pg_backend_pid() as pid')))[0]?.['pid']
  })
  expect(await asked("select 'mine'::text")).toBe('mine')
  expect(await pidAsked()).not.toBe(before)
})

it('P174: a server that opens no more sessions is asked over those that are open', async () => {
  const role = `crowded_${process.pid}`
  await database.run(`create role ${role} login password 'p' connection limit 2`)
  const url = new URL(fresh.url)
  url.username = role
  url.password = 'p'
  const crowded = openDatabase(
    createPool({ databaseUrl: url.href, databasePoolSize: 10, statementTimeoutSeconds: 20 }, () => {}),
  )
  try {
    const asked = Array.from({ length: 30 }, () => crowded.rows(sql('select pg_sleep(0.01)')))
    expect((await Promise.allSettled(asked)).filter(({ status }) => status === 'rejected')).toEqual([])
  } finally {
    await crowded.close()
    await database.run(`drop role ${role}`)
  }
})
