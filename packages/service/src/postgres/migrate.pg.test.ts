import { freshDatabase, forEachTest } from '@octavo/dev-database/vitest'
import { Client } from 'pg'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { missingMigrations, migrationNames } from './migrations.ts'
import type { Reader } from './database.ts'
import { migrate } from './migrate.ts'

const database = forEachTest(freshDatabase)
let client: Client
let reader: Reader

beforeEach(async () => {
  client = new Client({ connectionString: database.url })
  await client.connect()
  reader = {
    rows: async ({ text, values }) =>
      (await client.query<Record<string, string | null>>(text, [...values])).rows,
  }
  await client.query('drop schema octavo cascade')
})

// Until the connection is closed: a server that drops the database ends it with an error.
afterEach(() => client.end())

it('applies every migration in order, and nothing the second time', async () => {
  expect(await missingMigrations(reader)).toEqual(migrationNames())
  expect(await migrate(database.url)).toEqual(migrationNames())
  expect(await missingMigrations(reader)).toEqual([])
  expect(await migrate(database.url)).toEqual([])
})

it('lets runs at the same time wait for each other, and one of them do the work', async () => {
  const runs = await Promise.all(Array.from({ length: 5 }, () => migrate(database.url)))
  expect(runs.flat()).toEqual(migrationNames())
  expect(await missingMigrations(reader)).toEqual([])
})

it('keeps everything it makes in the schema octavo, with a primary key on every table', async () => {
  await migrate(database.url)
  const { rows } = await client.query<{ schema: string; table: string; keyed: boolean }>(`
    select n.nspname as schema, c.relname as table,
      exists (select from pg_index i where i.indrelid = c.oid and i.indisprimary) as keyed
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind = 'r' and n.nspname not in ('pg_catalog', 'information_schema')
    order by c.relname`)
  expect(rows).toEqual(
    [
      'access_tokens',
      'access_version',
      'api_families',
      'audit',
      'grants',
      'migrations',
      'ontologies',
      'registry_version',
    ].map((table) => ({
      schema: 'octavo',
      table,
      keyed: true,
    })),
  )
})

it('starts the registry at version 0, in a table of one row', async () => {
  await migrate(database.url)
  expect((await client.query('select version from octavo.registry_version')).rows).toEqual([{ version: '0' }])
  await expect(client.query('insert into octavo.registry_version values (false, 1)')).rejects.toThrow('check')
})

it('finds nothing missing in a database that is newer than the code', async () => {
  await migrate(database.url)
  await client.query(`insert into octavo.migrations (name, run_on) values ('9999_later', now())`)
  expect(await missingMigrations(reader)).toEqual([])
  expect(await migrate(database.url)).toEqual([])
})
