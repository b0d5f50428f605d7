// The service on a fixed port, to be killed, stopped and started again.
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { testKey } from '../../packages/service/test/support/start-test-service.ts'

export interface MortalService {
  readonly kill: () => Promise<void>
  /** Stops it as an operator does; resolves with the exit code. */
  readonly stop: () => Promise<number | null>
  /** Resolves once it is ready. */
  readonly start: () => Promise<void>
  readonly isRunning: () => boolean
  readonly pid: () => number | undefined
}

export type ServiceEnvironment = Readonly<Record<string, string>>

const main = fileURLToPath(import.meta.resolve('../../packages/service/src/main.ts'))
const readyWithinMilliseconds = 120_000

export function mortalService(
  databaseUrl: string,
  port: number,
  /** Called at every start, so that options can change between starts. */
  environment: () => ServiceEnvironment = () => ({}),
): MortalService {
  let child: ChildProcess | undefined
  const isRunning = () => child !== undefined && child.exitCode === null && child.signalCode === null
  const end = async (signal: NodeJS.Signals): Promise<number | null> => {
    const ending = child
    if (ending === undefined) return null
    const running = isRunning()
    child = undefined
    if (!running) return ending.exitCode
    const ended = once(ending, 'exit')
    ending.kill(signal)
    await ended
    return ending.exitCode
  }
  return {
    isRunning,
    pid: () => child?.pid,
    kill: async () => void (await end('SIGKILL')),
    stop: () => end('SIGTERM'),
    start: async () => {
      child = spawn(
        process.execPath,
        [
          // As packages/octavo/bin/octavo.js starts it.
          '--max-semi-space-size=8',
          '--conditions=@octavo/source',
          `--import=${import.meta.resolve('../dev/end-with-parent.ts')}`,
          main,
        ],
        {
          env: {
            OCTAVO_PORT: String(port),
            OCTAVO_DATABASE_URL: databaseUrl,
            OCTAVO_PAGE_TOKEN_KEYS: testKey('a', 1),
            OCTAVO_LOG_LEVEL: 'error',
            ...environment(),
          },
          stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
        },
      )
      const until = performance.now() + readyWithinMilliseconds
      while (performance.now() < until && isRunning()) {
        const ready = await fetch(`http://127.0.0.1:${port}/health/ready`).catch(() => undefined)
        if (ready?.ok) return
        await sleep(50)
      }
      throw new Error('The service did not start again.')
    },
  }
}
