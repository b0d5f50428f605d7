// The faults by name. Each strikes, waits until its cause is over, and returns what must still be repaired.
import { setTimeout as sleep } from 'node:timers/promises'
import type { CuttingProxy } from '../cutting-proxy.ts'
import type { Random } from '../random.ts'
import type { DatabaseUnderTest } from './database-under-test.ts'
import type { Instances } from './instances.ts'

export interface Fault {
  readonly name: string
  /** If true, the service must answer within 10 s after the fault ends. For other faults the time is printed. */
  readonly isOfDatabase: boolean
  readonly strike: () => Promise<(() => Promise<void>) | undefined>
}

interface Struck {
  readonly random: Random
  readonly instances: Pick<Instances, 'each' | 'restartOneByOne' | 'rotateKeys'>
  readonly database: Pick<DatabaseUnderTest, 'faults'>
  readonly clientConnections: CuttingProxy
  readonly databaseConnections: CuttingProxy
}

export function faultsOf(struck: Struck): readonly Fault[] {
  const { random, instances, database, clientConnections, databaseConnections } = struck
  const ofService = (name: string, strike: Fault['strike']): Fault => ({ name, isOfDatabase: false, strike })
  const cut = async (connections: CuttingProxy) => {
    const closedMilliseconds = random.below(700)
    connections.cut(closedMilliseconds)
    await sleep(closedMilliseconds)
    return undefined
  }
  return [
    ofService('kill an instance', async () => {
      const instance = instances.each[random.below(instances.each.length)]
      await instance?.kill()
      return async () => instance?.start()
    }),
    ofService('kill all instances', async () => {
      await Promise.all(instances.each.map((instance) => instance.kill()))
      return later(Promise.all(instances.each.map((instance) => instance.start())))
    }),
    ofService('cut connections of clients', () => cut(clientConnections)),
    { name: 'cut connections to the database', isOfDatabase: true, strike: () => cut(databaseConnections) },
    ofService('rolling restart', async () => later(instances.restartOneByOne())),
    ofService('key rotation', async () => later(instances.rotateKeys())),
    ...Object.entries(database.faults).map(([name, strike]) => ({
      name,
      isOfDatabase: true,
      strike: () => strike(random.below(1_000)),
    })),
  ]
}

/** Runs in the background; the caller that awaits its end gets a failure. */
function later(work: Promise<unknown>): () => Promise<void> {
  work.catch(() => {})
  return async () => void (await work)
}

/** All faults, again and again, each time in a different order. */
export function* inRandomRounds(faults: readonly Fault[], random: Random): Generator<Fault> {
  for (;;) {
    const left = [...faults]
    while (left.length > 0) yield* left.splice(random.below(left.length), 1)
  }
}
