import { freshDatabase, type FreshDatabase } from '@octavo/dev-database/vitest'
import { Client } from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { BytesClient } from './bytes-client.ts'
import { copyIn } from './copy-in.ts'

let database: FreshDatabase
let client: BytesClient

beforeAll(async () => {
  database = await freshDatabase()
})
afterAll(() => database.drop())
beforeEach(async () => {
  // Pipelined, as in the pool of the service.
  client = new BytesClient({ connectionString: database.url, pipeline: true })
  client.on('error', () => {})
  await client.connect()
  await client.query('create temporary table t (i integer, word text)')
})
afterEach(() => client.end())

const copy = 'copy t from stdin'
const stored = async () => (await client.query('select i, word from t order by i')).rows

it('every row arrives, wherever the chunks are cut, and the client can be used afterwards', async () => {
  const all = Buffer.from('1\té\n2\t\\N\n3\ta\\tb\n')
  const chunks = Array.from(all, (_byte, i) => all.subarray(i, i + 1))
  await copyIn(client, copy, chunks)
  expect(await stored()).toEqual([
    { i: 1, word: 'é' },
    { i: 2, word: null },
    { i: 3, word: 'a\tb' },
  ])
})

it('chunks are made only as fast as the server takes them', async () => {
  const { connection } = client as unknown as {
    readonly connection: { readonly stream: { readonly writableLength: number } }
  }
  let mostWaiting = 0
  function* chunks(): Generator<Buffer> {
    for (let i = 0; i < 400; i += 1) {
      mostWaiting = Math.max(mostWaiting, connection.stream.writableLength)
      yield Buffer.from(`${i}\t${'x'.repeat(100_000)}\n`)
    }
  }
  await copyIn(client, copy, chunks())
  expect((await client.query('select count(*)::int as n from t')).rows).toEqual([{ n: 400 }])
  expect(mostWaiting).toBeLessThan(1024 * 1024)
})

it('a row that the server refuses is an error, nothing is stored, and the client can be used afterwards', async () => {
  await expect(copyIn(client, copy, [Buffer.from('1\ta\n'), Buffer.from('x\tb\n')])).rejects.toThrow(
    'invalid input syntax for type integer',
  )
  expect(await stored()).toEqual([])
})

it('an error while the chunks are made is thrown, and nothing is stored', async () => {
  function* chunks(): Generator<Buffer> {
    yield Buffer.from('1\ta\n')
    throw new Error('no more')
  }
  await expect(copyIn(client, copy, chunks())).rejects.toThrow('no more')
  expect(await stored()).toEqual([])
})

it('a statement that is refused makes no chunk', async () => {
  let made = false
  function* chunks(): Generator<Buffer> {
    made = true
    yield Buffer.from('1\ta\n')
  }
  await expect(copyIn(client, 'copy nothing from stdin', chunks())).rejects.toThrow('does not exist')
  expect(made).toBe(false)
})

it('a connection that is lost in the middle is an error', async () => {
  const other = new Client({ connectionString: database.url })
  await other.connect()
  const pid = (await client.query('select pg_backend_pid() as pid')).rows[0] as { readonly pid: number }
  let ended: Promise<unknown> | undefined
  function* chunks(): Generator<Buffer> {
    for (let i = 0; i < 100_000; i += 1) {
      if (i === 100) ended = other.query('select pg_terminate_backend($1)', [pid.pid])
      yield Buffer.from(`${i}\t${'x'.repeat(10_000)}\n`)
    }
  }
  await expect(copyIn(client, copy, chunks())).rejects.toThrow()
  await ended
  await other.end()
})
