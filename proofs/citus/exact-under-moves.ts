// Every complete walk of a snapshot equals the model at its version, under writers and pruning, while the ontology is moved
// from node to node. No read and no commit fails: the load ends with the first error.
import { setTimeout as sleep } from 'node:timers/promises'
import { startCitus, type CitusCluster } from '@octavo/dev-database'
import { migrateDatabase, openClusterManagement } from '@octavo/service'
import { describeTally } from '../../packages/service/test/support/store-model/describe-tally.ts'
import { runLoad } from '../../packages/service/test/support/store-model/run-load.ts'
import { expect, type Proof } from '../harness/prove.ts'

export const proveExactOnCitus = (proof: Proof): Promise<void> =>
  proof.point(
    'While ontologies are moved, every walk of a snapshot equals the model at its version, and nothing fails',
    async () => {
      const citus = await startCitus({ workers: 2 })
      try {
        await migrateDatabase(citus.url, () => {})
        return await showWalks(proof, citus)
      } finally {
        await citus.stop()
      }
    },
  )

async function showWalks(proof: Proof, citus: CitusCluster): Promise<string> {
  const walks = proof.short ? 500 : 10_000
  const leastMoves = proof.short ? 3 : 20
  let walked = 0
  let moves = 0
  for (let seed = 1; walked < walks || moves < leastMoves; seed += 1) {
    // Citus refuses to create a type while its ontology is moved: that is 503 for a caller, and the load knows no retries.
    let stopMoving = () => Promise.resolve(0)
    try {
      const tally = await runLoad({
        databaseUrl: citus.url,
        seed,
        keys: seed % 2 === 0 ? 100 : 500,
        walks: Math.ceil(walks / 4),
        mostSeconds: 600,
        onWritten: () => (stopMoving = moveUntilStopped(citus)),
        // A move takes some seconds, and a page of its walk must come after it.
        retentionSeconds: 5,
      })
      proof.say(describeTally(seed, tally))
      expect(tally.differences.length === 0, `seed ${seed}: ${tally.differences[0]?.detail}`)
      walked += tally.walks
    } finally {
      moves += await stopMoving()
    }
  }
  return `${walked.toLocaleString('en')} walks during ${moves} moves, 0 different, no error`
}

/** Moves the newest ontology. Returns the function that stops it, and how often it moved. */
function moveUntilStopped(citus: CitusCluster): () => Promise<number> {
  const management = openClusterManagement(citus.url)
  const nodes = citus.workers().map(({ host, port }) => `${host}:${port}`)
  const stop = new AbortController()
  let moves = 0
  const moving = (async () => {
    while (!stop.signal.aborted) {
      const ontology = (await management.ontologies()).at(-1)
      const to = nodes.find((node) => node !== ontology?.node)
      if (ontology !== undefined && to !== undefined) {
        await management.move(ontology, to)
        moves += 1
      }
      await sleep(500)
    }
  })()
  moving.catch(() => {})
  return async () => {
    stop.abort()
    await moving
    await management.close()
    return moves
  }
}
