// Runs a service in this process on a throwaway PostgreSQL, for `dev` and `demo`.
import { randomBytes } from 'node:crypto'
import { CliError } from '../base/cli-error.ts'
import { checkPortIsFree } from './check-port-is-free.ts'

export interface LocalServiceOptions {
  readonly port: number
  /** Used instead of a throwaway database. It is migrated, and kept at the end. */
  readonly databaseUrl?: string | undefined
  /** Lines of postgresql.conf for the throwaway database. */
  readonly databaseSettings?: Readonly<Record<string, string>>
}

export interface LocalService {
  readonly url: string
  readonly databaseUrl: string
  /** Stops the service and removes the throwaway database. */
  readonly stop: () => Promise<void>
}

const host = '127.0.0.1'

export async function startLocalService(asked: LocalServiceOptions): Promise<LocalService> {
  await checkPortIsFree(host, asked.port)
  const { startCluster } = await import('@octavo/dev-database')
  const { databaseSettings: settings } = asked
  const cluster =
    asked.databaseUrl === undefined
      ? await startCluster(settings === undefined ? {} : { settings })
      : undefined
  try {
    const databaseUrl = asked.databaseUrl ?? cluster?.url ?? ''
    const service = await startOn(databaseUrl, asked.port)
    return {
      url: service.url,
      databaseUrl,
      stop: async () => {
        await service.close()
        await cluster?.stop()
      },
    }
  } catch (error) {
    await cluster?.stop()
    throw error
  }
}

async function startOn(databaseUrl: string, port: number) {
  const { buildService, openLog, migrateDatabase, readOptions, serveOptions } =
    await import('@octavo/service')
  const read = readOptions(serveOptions, [], {
    OCTAVO_HOST: host,
    OCTAVO_PORT: String(port),
    OCTAVO_DATABASE_URL: databaseUrl,
    // Any web page that this machine serves can be tried with the service; every request still needs the token.
    OCTAVO_CORS_ORIGINS: 'loopback',
    OCTAVO_PAGE_TOKEN_KEYS: `local:${randomBytes(32).toString('base64url')}`,
  })
  if (read.kind !== 'read') throw new CliError(read.kind === 'refused' ? read.problems.join('\n') : '')
  await migrateDatabase(databaseUrl, () => {})
  const service = buildService(read.options, openLog({ ...read.options, logLevel: 'warn' }, {}))
  return { url: await service.listen(), close: service.close }
}
