// An instance of the service as a process.
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { builtProgram } from '../../packages/octavo/bundle/built-program.ts'

export interface ServiceProcess {
  readonly url: string
  readonly child: ChildProcess
  /** Resolves once it has ended, after the signal. */
  readonly end: (signal: 'SIGTERM' | 'SIGKILL') => Promise<void>
}

export interface ServiceProcessOptions {
  readonly databaseUrl: string
  /** As environment variables; with a port, it can be started again at the same address. */
  readonly options?: Readonly<Record<string, string>>
  /** Each line of its log. */
  readonly onLog?: (line: LogLine) => void
}

export interface LogLine {
  readonly kind: string
  readonly address?: string
  readonly level?: string
  readonly errorName?: string
  readonly error?: { readonly message?: string }
}

export async function startServiceProcess({
  databaseUrl,
  options = {},
  onLog = () => {},
}: ServiceProcessOptions): Promise<ServiceProcess> {
  const child = spawn(process.execPath, [builtProgram('service')], {
    env: {
      OCTAVO_PORT: '0',
      OCTAVO_DATABASE_URL: databaseUrl,
      OCTAVO_PAGE_TOKEN_KEYS: `a:${Buffer.alloc(32, 1).toString('base64url')}`,
      OCTAVO_LOG_FORMAT: 'json',
      OCTAVO_SUBSCRIPTIONS: 'true',
      ...options,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit')
  const url = await new Promise<string>((resolve, reject) => {
    child.once('exit', () => reject(new Error('The service did not start.')))
    createInterface({ input: child.stdout }).on('line', (text) => {
      const line = JSON.parse(text) as LogLine
      if (line.kind === 'service-listening' && line.address !== undefined) resolve(line.address)
      onLog(line)
    })
  })
  return {
    url,
    child,
    end: async (signal) => {
      child.kill(signal)
      await ended
    },
  }
}
