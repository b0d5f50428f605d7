// What a workspace writes to get databases for its tests; here with a migration of one table.
import { vitestGlobalSetup } from '@octavo/dev-database/vitest-global-setup'
import { Client } from 'pg'

const prepare = async (url: string): Promise<void> => {
  const client = new Client({ connectionString: url })
  await client.connect()
  await client.query('CREATE SCHEMA octavo')
  await client.query('CREATE TABLE octavo.greeting AS SELECT $$hello$$ AS text')
  await client.end()
}

export const setup = vitestGlobalSetup({ prepare })
