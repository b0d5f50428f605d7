import { setTimeout as sleep } from 'node:timers/promises'
import { freshDatabase, type FreshDatabase } from '@octavo/dev-database/vitest'
import { Pool, type PoolClient } from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { clientCancels } from './client-cancels.ts'

let database: FreshDatabase
let pool: Pool
let client: PoolClient

beforeAll(async () => {
  database = await freshDatabase()
  pool = new Pool({ connectionString: database.url })
  client = await pool.connect()
})
afterAll(async () => {
  client.release()
  await pool.end()
  await database.drop()
})

it('a cancel that the server hears between two statements is sent again for the next one', async () => {
  const cancels = clientCancels()
  cancels.begin(client)
  await sleep(100)
  await expect(client.query('select pg_sleep(20)')).rejects.toMatchObject({ code: '57014' })
  await cancels.end(client)
})

it('after the end nothing is stopped', async () => {
  const cancels = clientCancels()
  for (let round = 0; round < 20; round += 1) {
    cancels.begin(client)
    if (round % 2 === 0) cancels.begin(client)
    await cancels.end(client)
    await client.query('select pg_sleep(0.02)')
  }
  await client.query('select pg_sleep(0.6)')
  expect(cancels.end(client)).toBe(undefined)
})
