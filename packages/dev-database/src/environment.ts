// The only file of this package that reads environment variables.
import { homedir } from 'node:os'
import { join } from 'node:path'
import { env, getuid, platform } from 'node:process'

/** The folder with initdb and postgres, if they are not in one of the usual places; `npm` for those that npm carries. */
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

/** Where downloads are kept. Root's home is closed to the user that the server runs as, so root uses the system's folder. */
export function cacheFolder(): string {
  const asked = env['XDG_CACHE_HOME'] || undefined
  if (asked !== undefined) return join(asked, 'octavo')
  const isRoot = getuid?.() === 0
  if (platform === 'darwin') return join(isRoot ? '/' : homedir(), 'Library/Caches/octavo')
  return isRoot ? '/var/cache/octavo' : join(homedir(), '.cache/octavo')
}

const registrySettings =
  /^npm_config_(registry|userconfig|globalconfig|cache|.*proxy|ca|cafile|strict_ssl|.*:.*)$/i

/** Within `npx`, npm's variables say which project it works on; only what says how to reach the registry is passed on. */
export const environmentForNpm = (): NodeJS.ProcessEnv =>
  Object.fromEntries(
    Object.entries(env).filter(
      ([name]) => (!/^npm_/i.test(name) && name !== 'INIT_CWD') || registrySettings.test(name),
    ),
  )
