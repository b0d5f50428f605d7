import type { Pool } from './create-pool.ts'
import { appliedMigrations, migrationNames } from './migrations.ts'

const table = `${appliedMigrations.schema}.${appliedMigrations.table}`

/**
 * The migrations this code needs and the database lacks. A database that is newer than the code is fine:
 * migrations only go forward, and an upgrade runs the new ones before the last old process has stopped.
 */
export const missingMigrations = async (pool: Pool): Promise<readonly string[]> => {
  const { rows: found } = await pool.query<{ exists: boolean }>(
    'select to_regclass($1) is not null as exists',
    [table],
  )
  if (found[0]?.exists !== true) return migrationNames()

  const { rows } = await pool.query<{ name: string }>(`select name from ${table}`)
  const applied = new Set(rows.map(({ name }) => name))
  return migrationNames().filter((name) => !applied.has(name))
}
