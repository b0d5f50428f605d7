import { setTimeout as sleep } from 'node:timers/promises'
import { startCitus, type Cluster } from '@octavo/dev-database'
import { openClusterManagement } from '@octavo/service'
import type { DatabaseUnderTest } from './database-under-test.ts'

export interface CitusUnderTest extends DatabaseUnderTest {
  readonly moves: () => number
}

/** A coordinator and two workers, each of which is killed; every ontology is moved from one worker to the other. */
export async function startCitusDatabase(): Promise<CitusUnderTest> {
  const citus = await startCitus({ workers: 2 })
  const management = openClusterManagement(citus.url)
  let moves = 0
  const killed = async (node: Cluster | undefined, pauseMilliseconds: number) => {
    await node?.kill()
    await sleep(pauseMilliseconds)
    await node?.start()
    return undefined
  }
  return {
    url: citus.url,
    moves: () => moves,
    faults: {
      'kill the node that holds the ontology': async (pauseMilliseconds) => {
        const [placed] = await management.ontologies()
        const holder = citus.workers().find(({ host, port }) => placed?.node === `${host}:${port}`)
        return killed(holder, pauseMilliseconds)
      },
      'kill the other worker': async (pauseMilliseconds) => {
        const [placed] = await management.ontologies()
        const other = citus.workers().find(({ host, port }) => placed?.node !== `${host}:${port}`)
        return killed(other, pauseMilliseconds)
      },
      'kill the coordinator': (pauseMilliseconds) => killed(citus.coordinator, pauseMilliseconds),
      'move the ontology': async () => {
        for (const ontology of await management.ontologies()) {
          const to = citus.workers().find(({ host, port }) => ontology.node !== `${host}:${port}`)
          await management.move(ontology, `${to?.host}:${to?.port}`)
          moves += 1
        }
        return undefined
      },
    },
    stop: async () => {
      await management.close()
      await citus.stop()
    },
  }
}
