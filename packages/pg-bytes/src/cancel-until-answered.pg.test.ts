import { setTimeout as sleep } from 'node:timers/promises'
import { freshDatabase, type FreshDatabase } from '@octavo/dev-database/vitest'
import { Pool, type PoolClient } from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { cancelUntilAnswered } from './cancel-until-answered.ts'

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

it('a cancel that the server receives between two statements is sent again for the next one', async () => {
  const cancelling = cancelUntilAnswered(client)
  await sleep(100)
  await expect(client.query('select pg_sleep(20)')).rejects.toMatchObject({ code: '57014' })
  await cancelling.stop()
})

it('once it has stopped nothing is cancelled', async () => {
  for (let round = 0; round < 20; round += 1) {
    await cancelUntilAnswered(client).stop()
    await expect(client.query('select pg_sleep(0.02)')).resolves.toMatchObject({ rowCount: 1 })
  }
  await expect(client.query('select pg_sleep(0.6)')).resolves.toMatchObject({ rowCount: 1 })
})
