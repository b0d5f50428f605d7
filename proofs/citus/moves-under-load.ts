// One ontology with many objects is moved back and forth while it is read and written: no read fails, and no writer waits long.
import { startCitus, type CitusCluster } from '@octavo/dev-database'
import { migrateDatabase, openClusterManagement } from '@octavo/service'
import type { ObjectType, Store } from '../../packages/service/test/inside.ts'
import { openTestStore } from '../../packages/service/test/support/open-test-store.ts'
import { expect, type Proof } from '../harness/prove.ts'
import { loadSample, putOf } from '../harness/load-sample.ts'
import { sampleDefinition, sampleEmployee } from '../harness/sample-employees.ts'
import { readPage } from './read-page.ts'

const mostStallMs = 2_000
const readers = 3

export const proveMovesUnderLoad = (proof: Proof): Promise<void> =>
  proof.point(
    `While an ontology is moved, no read fails, and no commit waits longer than ${mostStallMs / 1_000} s`,
    async () => {
      const citus = await startCitus({ workers: 2, durable: true })
      const store = openTestStore({ databaseUrl: citus.url, databasePoolSize: 10 })
      try {
        await migrateDatabase(citus.url, () => {})
        return await showMoves(proof, citus, store)
      } finally {
        await store.database.close()
        await citus.stop()
      }
    },
  )

async function showMoves(proof: Proof, citus: CitusCluster, store: Store): Promise<string> {
  const objects = proof.short ? 20_000 : 500_000
  const ontology = await store.applyOntology({ apiName: 'moved', displayName: 'Moved' })
  const type = await store.applyObjectType(ontology, sampleDefinition)
  await loadSample(store, type, { objects, say: proof.say })
  const load = loadUntilStopped(store, type, objects)
  const management = openClusterManagement(citus.url)
  const lines: string[] = []
  try {
    for (let round = 0; round < (proof.short ? 2 : 6); round += 1) {
      const [placed] = await management.ontologies()
      const to = citus.workers().find(({ host, port }) => placed?.node !== `${host}:${port}`)
      expect(placed !== undefined && to !== undefined, 'there is nowhere to move to')
      const since = performance.now()
      await management.move(placed, `${to.host}:${to.port}`)
      lines.push(`${((performance.now() - since) / 1_000).toFixed(1)} s`)
    }
  } finally {
    await management.close()
    await load.stop()
  }
  const { failures, pages, commits, longestReadMs, longestCommitMs } = load
  expect(failures.length === 0, `${failures.length} requests failed: ${String(failures[0])}`)
  const seen =
    `${objects.toLocaleString('en')} objects moved ${lines.length} times (${lines.join(', ')}); ${pages()} pages and ${commits()} commits ` +
    `meanwhile, none failed; the longest page took ${longestReadMs().toFixed(0)} ms, the longest commit ${longestCommitMs().toFixed(0)} ms`
  expect(longestCommitMs() <= mostStallMs, seen)
  return seen
}

function loadUntilStopped(store: Store, type: ObjectType, objects: number) {
  const failures: unknown[] = []
  const stop = new AbortController()
  let [pages, commits, longestRead, longestCommit] = [0, 0, 0, 0]
  const again = async (work: () => Promise<void>) => {
    while (!stop.signal.aborted) await work().catch((error: unknown) => void failures.push(error))
  }
  const timed = async (work: () => Promise<unknown>): Promise<number> => {
    const since = performance.now()
    await work()
    return performance.now() - since
  }
  const running = [
    ...Array.from({ length: readers }, (_, reader) =>
      again(async () => {
        const from = sampleEmployee((pages * 7_919 + reader) % objects).employeeId
        longestRead = Math.max(longestRead, await timed(() => readPage(store, type, { from, size: 100 })))
        pages += 1
      }),
    ),
    again(async () => {
      const changes = [putOf(type, sampleEmployee(commits % objects, commits))]
      longestCommit = Math.max(longestCommit, await timed(() => store.commit({ parts: [{ type, changes }] })))
      commits += 1
    }),
  ]
  return {
    failures,
    pages: () => pages,
    commits: () => commits,
    longestReadMs: () => longestRead,
    longestCommitMs: () => longestCommit,
    stop: async () => {
      stop.abort()
      await Promise.all(running)
    },
  }
}
