// The only file of this package that reads environment variables.
import { env } from 'node:process'

/** The folder with initdb and postgres, if they are not in one of the usual places. */
export const postgresBinFolder = (): string | undefined => env['OCTAVO_POSTGRES_BIN'] || undefined

/** Another PostgreSQL server to test against; then no cluster is started. */
export const testDatabaseUrl = (): string | undefined => env['OCTAVO_TEST_DATABASE_URL'] || undefined

/** PGDATA, PGPORT and similar variables would silently point our server at the developer's own. */
export const environmentForServer = (): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith('PG')))
