import type { Database } from '../../src/postgres/database.ts'

/** A database that does some things in another way, also for the statements of one schema. */
export function databaseThat(database: Database, does: Partial<Database>): Database {
  const changed: Database = { ...database, ...does, holding: () => changed }
  return changed
}
