import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Reader } from './database.ts'

/** The path works from src/ and from dist/. */
export const migrationsFolder = join(import.meta.dirname, '../../migrations')

/** The table of applied migrations, in the schema of the registry. */
export const appliedMigrations = { schema: 'octavo', table: 'migrations' } as const

export const migrationNames = (): readonly string[] =>
  readdirSync(migrationsFolder)
    .filter((file) => file.endsWith('.sql'))
    .map((file) => file.slice(0, -'.sql'.length))
    .toSorted()

const table = `${appliedMigrations.schema}.${appliedMigrations.table}`

/**
 * The migrations that this code needs and the database lacks. A database that is newer than the code is fine: migrations only go
 * forward, and an upgrade runs the new ones before the last old process has stopped.
 */
export const missingMigrations = async (reader: Reader): Promise<readonly string[]> => {
  const found = await reader.rows({ text: 'select to_regclass($1) as found', values: [table] })
  if (found[0]?.['found'] == null) return migrationNames()

  const rows = await reader.rows({ text: `select name from ${table}`, values: [] })
  const applied = new Set(rows.map((row) => row['name']))
  return migrationNames().filter((name) => !applied.has(name))
}
