// The service on a port that stays the same, to be killed and started again.
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { testKey } from '../../packages/service/src/testing/start-test-service.ts'

export interface MortalService {
  readonly kill: () => Promise<void>
  readonly start: () => Promise<void>
}

const main = fileURLToPath(import.meta.resolve('../../packages/service/src/main.ts'))

export function mortalService(databaseUrl: string, port: number): MortalService {
  let child: ChildProcess | undefined
  return {
    kill: async () => {
      if (child === undefined) return
      const ended = once(child, 'exit')
      child.kill('SIGKILL')
      child = undefined
      await ended
    },
    start: async () => {
      child = spawn(
        process.execPath,
        ['--conditions=@octavo/source', `--import=${import.meta.resolve('../dev/end-with-parent.ts')}`, main],
        {
          env: {
            OCTAVO_PORT: String(port),
            OCTAVO_DATABASE_URL: databaseUrl,
            OCTAVO_PAGE_TOKEN_KEYS: testKey('a', 1),
            OCTAVO_LOG_LEVEL: 'error',
          },
          stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
        },
      )
      for (let tries = 0; tries < 300; tries += 1) {
        const ready = await fetch(`http://127.0.0.1:${port}/health/ready`).catch(() => undefined)
        if (ready?.ok) return
        await sleep(50)
      }
      throw new Error('The service did not start again.')
    },
  }
}
