import { readdirSync } from 'node:fs'
import { join } from 'node:path'

/** The path works from src/ and from dist/. */
export const migrationsFolder = join(import.meta.dirname, '../../migrations')

/** The table of applied migrations, in the schema of the registry. */
export const appliedMigrations = { schema: 'octavo', table: 'migrations' } as const

export const migrationNames = (): readonly string[] =>
  readdirSync(migrationsFolder)
    .filter((file) => file.endsWith('.sql'))
    .map((file) => file.slice(0, -'.sql'.length))
    .toSorted()
