// The service in its own process, as it is published.
import { freePort } from '@octavo/dev-database'
import { builtProgram } from '../../packages/octavo/bundle/built-program.ts'
import { testKey } from '../../packages/service/test/support/start-test-service.ts'
import { serverProcess, type Environment, type ServerProcess } from './server-process.ts'

export interface ServiceOptions {
  readonly databaseUrl: string
  /** The options of the service. As a function they are asked for at every start. */
  readonly environment?: Environment | (() => Environment)
  /** Any free one by default. */
  readonly port?: number
  /** Another build of the service. */
  readonly program?: { readonly file: string; readonly nodeOptions: readonly string[] }
  /** It is written, as in production, but reading it costs this machine nothing. */
  readonly log?: 'discarded'
  /** Of errors, by default. */
  readonly onLog?: (line: LogLine) => void
}

export interface LogLine {
  readonly kind: string
  readonly level?: string
  readonly errorName?: string
  readonly error?: { readonly message?: string }
}

export interface ServiceProcess extends ServerProcess {
  /** Log lines of failed requests: none of these failures is the caller's fault. */
  readonly failures: () => readonly string[]
}

/** More requests at once than there are places, on purpose: the proof `overload` shows what happens then. */
export const longQueue: Environment = { OCTAVO_QUEUE_MILLISECONDS: '60000' }

/** Not started yet. */
export function serviceProcess(options: ServiceOptions & { readonly port: number }): ServiceProcess {
  const { databaseUrl, environment = {}, port, onLog } = options
  const failures: string[] = []
  const onLine = (text: string): void => {
    const line = JSON.parse(text) as LogLine
    if (line.kind === 'request-failed') failures.push(text)
    onLog?.(line)
  }
  const server = serverProcess({
    // As packages/octavo/bin/octavo.js starts it.
    ...(options.program ?? { file: builtProgram('service'), nodeOptions: ['--max-semi-space-size=8'] }),
    port,
    ready: { method: 'GET', path: '/health/ready', headers: {} },
    environment: () => ({
      OCTAVO_PORT: String(port),
      OCTAVO_DATABASE_URL: databaseUrl,
      OCTAVO_PAGE_TOKEN_KEYS: testKey('a', 1),
      OCTAVO_LOG_FORMAT: 'json',
      OCTAVO_LOG_LEVEL: 'error',
      ...(typeof environment === 'function' ? environment() : environment),
    }),
    ...(options.log !== 'discarded' && { onLine }),
  })
  return Object.assign(server, { failures: () => failures })
}

export async function startService(options: ServiceOptions): Promise<ServiceProcess> {
  const service = serviceProcess({ ...options, port: options.port ?? (await freePort()) })
  await service.start()
  return service
}
