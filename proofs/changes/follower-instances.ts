// Two instances of the service behind a proxy that takes each connection to one of them, and can cut all of them.
import { randomBytes } from 'node:crypto'
import { freePort } from '@octavo/dev-database'
import type { Random } from '../harness/random.ts'
import type { Instances } from '../harness/faults/instances.ts'
import { startCuttingProxy, type CuttingProxy } from '../harness/cutting-proxy.ts'
import { longQueue, serviceProcess } from '../harness/service-process.ts'

export interface FollowerInstances extends Pick<
  Instances,
  'each' | 'restartOneByOne' | 'rotateKeys' | 'stop'
> {
  readonly connections: CuttingProxy
}

export async function startFollowerInstances(
  databaseUrl: string,
  random: Random,
): Promise<FollowerInstances> {
  const ports = [await freePort(), await freePort()] as const
  let made = 0
  const newKey = () => `k${(made += 1)}:${randomBytes(32).toString('base64url')}`
  let keys: readonly string[] = [newKey()]
  const each = ports.map((port) =>
    serviceProcess({
      databaseUrl: databaseUrl,
      port,
      environment: () => ({
        OCTAVO_PAGE_TOKEN_KEYS: keys.join(','),
        OCTAVO_STOP_GRACE_SECONDS: '10',
        ...longQueue,
      }),
    }),
  )
  const restartOneByOne = async () => {
    for (const instance of each) {
      await instance.stop()
      await instance.start()
    }
  }
  await Promise.all(each.map((instance) => instance.start()))
  const connections = await startCuttingProxy(() => {
    const running = ports.filter((_, i) => each[i]?.isRunning())
    return running[random.below(running.length)] ?? ports[0]
  })
  return {
    each,
    connections,
    restartOneByOne,
    // Steps 1 and 2 of docs/run/operating.md. A follower that is down has a token of the key before at most.
    rotateKeys: async () => {
      const added = newKey()
      const [sealing = ''] = keys
      keys = [...keys, added]
      await restartOneByOne()
      keys = [added, sealing]
      await restartOneByOne()
    },
    stop: async () => {
      await connections.close()
      await Promise.all(each.map((instance) => instance.kill()))
    },
  }
}
