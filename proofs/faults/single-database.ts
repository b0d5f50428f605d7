import { setTimeout as sleep } from 'node:timers/promises'
import { startCluster } from '@octavo/dev-database'
import type { DatabaseUnderTest } from '../harness/faults/database-under-test.ts'

/** One PostgreSQL that is killed with all its processes, or restarted in an orderly way. */
export async function startSingleDatabase(): Promise<DatabaseUnderTest> {
  const cluster = await startCluster()
  return {
    url: cluster.url,
    faults: {
      'kill PostgreSQL': async (pauseMilliseconds) => {
        await cluster.kill()
        await sleep(pauseMilliseconds)
        await cluster.start()
        return undefined
      },
      'restart PostgreSQL': async () => {
        await cluster.restart()
        return undefined
      },
    },
    stop: cluster.stop,
  }
}
