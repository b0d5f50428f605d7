import { setTimeout as sleep } from 'node:timers/promises'
import { freshDatabase, type FreshDatabase } from '@octavo/dev-database/vitest'
import { Client } from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { copyOut } from './copy-out.ts'

let database: FreshDatabase
let client: Client

beforeAll(async () => {
  database = await freshDatabase()
})
afterAll(() => database.drop())
beforeEach(async () => {
  client = new Client({ connectionString: database.url })
  client.on('error', () => {})
  await client.connect()
})
afterEach(() => client.end())

const wholeText = async (chunks: AsyncIterable<Buffer>): Promise<string> => {
  const all: Buffer[] = []
  for await (const chunk of chunks) all.push(chunk)
  return Buffer.concat(all).toString()
}

it('returns every byte in order, and the client can be used afterwards', async () => {
  const copy = `copy (select i, repeat('é', i % 300) from generate_series(1, 20000) i) to stdout (format csv)`
  const rows = Array.from({ length: 20_000 }, (_, i) => `${i + 1},${'é'.repeat((i + 1) % 300)}\n`)
  expect(await wholeText(copyOut(client, copy))).toBe(rows.join('').replace(/,$/gm, ',""'))
  expect((await client.query('select 1 as one')).rows).toEqual([{ one: 1 }])
})

it('nothing to copy is an empty output', async () => {
  expect(await wholeText(copyOut(client, 'copy (select 1 where false) to stdout'))).toBe('')
})

it('a reader that is behind makes the server wait, instead of filling memory', async () => {
  const { connection } = client as unknown as {
    readonly connection: { readonly stream: { readonly bytesRead: number } }
  }
  const copy = `copy (select repeat('x', 1000) from generate_series(1, 200000)) to stdout`
  const chunks = copyOut(client, copy)
  let taken = (await chunks.next()).value?.length ?? 0
  await sleep(300)
  expect(connection.stream.bytesRead).toBeLessThan(4 * 1_024 * 1_024)
  for await (const chunk of chunks) taken += chunk.length
  expect(taken).toBe(200_000 * 1_001)
})

it('an error in the middle is thrown after what came before it', async () => {
  const copy = 'copy (select 1 / (1000 - i) from generate_series(1, 2000) i) to stdout'
  const chunks = copyOut(client, copy)
  await expect(wholeText(chunks)).rejects.toThrow('division by zero')
})

it('a connection that is lost is an error, not an end', async () => {
  const chunks = copyOut(client, `copy (select repeat('x', 1000) from generate_series(1, 200000)) to stdout`)
  await chunks.next()
  const other = new Client({ connectionString: database.url })
  await other.connect()
  await other.query('select pg_terminate_backend(pid) from pg_stat_activity where query like $1', [
    'copy (select repeat%',
  ])
  await other.end()
  await expect(wholeText(chunks)).rejects.toThrow()
})
