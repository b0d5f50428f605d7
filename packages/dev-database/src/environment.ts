// The only file of this package that reads environment variables.
import { env } from 'node:process'

/** The folder with initdb and postgres, if they are not in one of the usual places. */
export const postgresBinFolder = (): string | undefined => env['OCTAVO_POSTGRES_BIN'] || undefined

/** Another PostgreSQL server to test against; then no cluster is started. */
export const testDatabaseUrl = (): string | undefined => env['OCTAVO_TEST_DATABASE_URL'] || undefined

/** Tests run on a throwaway Citus cluster with this many workers. */
export function citusWorkers(): number | undefined {
  const text = env['OCTAVO_TEST_CITUS_WORKERS'] || undefined
  if (text === undefined) return undefined
  const workers = Number(text)
  if (Number.isInteger(workers) && workers > 0) return workers
  throw new Error(`OCTAVO_TEST_CITUS_WORKERS is ${text}: it takes the number of workers, for example 2.`)
}

/** PGDATA, PGPORT and similar variables would silently point our server at the developer's own. */
export const environmentForServer = (): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith('PG')))
