// The only place of this package that reads environment variables.
import { env } from 'node:process'

/** Folder with initdb and postgres, when they are not in one of the usual places. */
export const postgresBinFolder = (): string | undefined => env['OCTAVO_POSTGRES_BIN'] || undefined

/** Another PostgreSQL server to test against; no cluster is started then. */
export const testDatabaseUrl = (): string | undefined => env['OCTAVO_TEST_DATABASE_URL'] || undefined

/** PGDATA, PGPORT and their like would silently point our server at the developer's own one. */
export const environmentForServer = (): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith('PG')))
