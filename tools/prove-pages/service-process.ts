// The service in its own process, so that its memory can be measured and its end noticed.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { testKey } from '../../packages/service/test/support/start-test-service.ts'

export interface MeasuredService {
  readonly url: string
  readonly pid: number
  /** Log lines of failed requests: none of these failures is the caller's fault. */
  readonly failures: () => readonly string[]
  readonly isRunning: () => boolean
  /** Current and peak memory in megabytes. */
  readonly memory: () => { readonly now: number; readonly most: number }
  readonly stop: () => Promise<void>
}

export async function startMeasuredService(
  databaseUrl: string,
  environment: Readonly<Record<string, string>> = {},
): Promise<MeasuredService> {
  const child = spawn(
    process.execPath,
    [
      // As packages/octavo/bin/octavo.js starts it.
      '--max-semi-space-size=8',
      '--conditions=@octavo/source',
      `--import=${import.meta.resolve('../dev/end-with-parent.ts')}`,
      fileURLToPath(import.meta.resolve('../../packages/service/src/main.ts')),
    ],
    {
      env: {
        OCTAVO_PORT: '0',
        OCTAVO_DATABASE_URL: databaseUrl,
        OCTAVO_PAGE_TOKEN_KEYS: testKey('a', 1),
        // Bad input includes bad credentials, hundreds per minute.
        // More requests at once than there are places, on purpose: prove:overload shows what happens then.
        OCTAVO_QUEUE_MILLISECONDS: '60000',
        OCTAVO_LOG_LEVEL: 'info',
        ...environment,
      },
      stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    },
  )
  const { stdout } = child
  if (stdout === null) throw new Error('no log')
  const ended = once(child, 'exit')
  const failures: string[] = []
  const url = await new Promise<string>((resolve, reject) => {
    void ended.then(() => reject(new Error('The service did not start.')))
    createInterface({ input: stdout }).on('line', (line) => {
      // Thousands a second, from a service that waits while its log is not read.
      if (line.includes('"request-served"') || line.includes('"objects-read"')) return
      const { kind, address } = JSON.parse(line) as { kind: string; address?: string }
      if (kind === 'service-listening' && address !== undefined) resolve(address)
      if (kind === 'request-failed') failures.push(line)
    })
  })
  const megabytes = (field: string) => {
    const status = readFileSync(`/proc/${child.pid}/status`, 'utf8')
    return Math.round(Number(new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(status)?.[1]) / 1024)
  }
  return {
    url,
    pid: child.pid ?? 0,
    failures: () => failures,
    isRunning: () => child.exitCode === null && child.signalCode === null,
    memory: () => ({ now: megabytes('VmRSS'), most: megabytes('VmHWM') }),
    stop: async () => {
      child.kill('SIGTERM')
      await ended
    },
  }
}
