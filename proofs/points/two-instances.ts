// Two instances of the service on one database. Every request goes to one of them by chance, also while one is restarted or both are
// given another key.
import { freePort } from '@octavo/dev-database'
import { testKey } from '../../packages/service/test/support/start-test-service.ts'
import type { Random } from '../harness/random.ts'
import { longQueue, serviceProcess } from '../harness/service-process.ts'

export interface TwoInstances {
  readonly url: string
  /** For requests to `url`. */
  readonly fetch: typeof globalThis.fetch
  readonly restartOne: () => Promise<void>
  /** Steps 1 and 2 of docs/run/operating.md. */
  readonly rotateKeys: () => Promise<void>
  readonly stop: () => Promise<void>
}

export async function startTwoInstances(databaseUrl: string, random: Random): Promise<TwoInstances> {
  const ports = [await freePort(), await freePort()] as const
  let keys = testKey('k1', 1)
  const each = ports.map((port) =>
    serviceProcess({
      databaseUrl: databaseUrl,
      port,
      environment: () => ({
        OCTAVO_PAGE_TOKEN_KEYS: keys,
        ...longQueue,
      }),
    }),
  )
  const restart = async (of = each) => {
    for (const instance of of) {
      await instance.stop()
      await instance.start()
    }
  }
  const stop = async () => void (await Promise.all(each.map((instance) => instance.kill())))
  try {
    await Promise.all(each.map((instance) => instance.start()))
  } catch (error) {
    await stop()
    throw error
  }
  const url = `http://127.0.0.1:${ports[0]}`
  return {
    url,
    fetch: (to, init) => {
      const port = random.next() < 0.5 ? ports[0] : ports[1]
      return fetch((to as string).replace(url, `http://127.0.0.1:${port}`), init)
    },
    restartOne: () => restart(each.slice(1)),
    rotateKeys: async () => {
      const [first, second] = [testKey('k1', 1), testKey('k2', 2)]
      keys = `${first},${second}`
      await restart()
      keys = `${second},${first}`
      await restart()
    },
    stop,
  }
}
