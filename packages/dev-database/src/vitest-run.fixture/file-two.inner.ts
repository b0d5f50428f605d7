import { freshDatabase } from '@octavo/dev-database/vitest'
import { Client } from 'pg'
import { expect, it } from 'vitest'

it('gets its own prepared database', async () => {
  const database = await freshDatabase()
  const client = new Client({ connectionString: database.url })
  await client.connect()
  const { rows } = await client.query('DELETE FROM octavo.greeting RETURNING text')
  await client.end()
  await database.drop()
  expect(rows).toEqual([{ text: 'hello' }])
})
