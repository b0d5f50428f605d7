// Three instances behind HAProxy. They are killed, restarted one after another, and given other keys, as the guides say.
import { randomBytes } from 'node:crypto'
import { freePort } from '@octavo/dev-database'
import type { Environment } from '../server-process.ts'
import { serviceProcess, type ServiceProcess } from '../service-process.ts'
import { startHaproxy } from '../haproxy.ts'

export interface Instances {
  /** The port of the load balancer. */
  readonly port: number
  readonly each: readonly ServiceProcess[]
  /** For one instance after another: stops it, waits for its exit, starts it, waits until it is ready. */
  readonly restartOneByOne: () => Promise<void>
  /** Steps 1, 2 and, for keys whose tokens have all expired, 4 of docs/run/operating.md. */
  readonly rotateKeys: () => Promise<void>
  readonly stop: () => Promise<void>
}

interface Key {
  readonly text: string
  /** When the last instance stopped sealing with it. */
  retiredAt?: number
}

/** P12, and a little more. */
const tokensLiveMilliseconds = 16 * 60_000

export async function startInstances(databaseUrl: string, environment: Environment = {}): Promise<Instances> {
  const ports = [await freePort(), await freePort(), await freePort()]
  let keysMade = 0
  const newKey = (): Key => ({ text: `k${(keysMade += 1)}:${randomBytes(32).toString('base64url')}` })
  let keys: readonly Key[] = [newKey()]
  const each = ports.map((port) =>
    serviceProcess({
      databaseUrl: databaseUrl,
      port,
      environment: () => ({
        ...environment,
        OCTAVO_PAGE_TOKEN_KEYS: keys.map(({ text }) => text).join(','),
      }),
    }),
  )
  const restartOneByOne = async () => {
    for (const instance of each) {
      await instance.stop()
      await instance.start()
    }
  }
  const addresses = ports.map((own, i) => [`OCTAVO_INSTANCE_${i + 1}`, `127.0.0.1:${own}`] as const)
  await Promise.all(each.map((instance) => instance.start()))
  // Only now: each instance has just taken a port for its metrics.
  const port = await freePort()
  const balancer = await startHaproxy('haproxy-octavo.cfg', port, {
    OCTAVO_BALANCER_BIND: `127.0.0.1:${port}`,
    ...Object.fromEntries(addresses),
  })
  return {
    port,
    each,
    restartOneByOne,
    rotateKeys: async () => {
      const [sealing] = keys
      const added = newKey()
      const stillOpening = keys.filter(
        ({ retiredAt }) => retiredAt === undefined || performance.now() - retiredAt < tokensLiveMilliseconds,
      )
      keys = [...stillOpening, added]
      await restartOneByOne()
      keys = [added, ...stillOpening]
      await restartOneByOne()
      if (sealing !== undefined) sealing.retiredAt = performance.now()
    },
    stop: async () => {
      await balancer.stop()
      await Promise.all(each.map((instance) => instance.stop()))
    },
  }
}
