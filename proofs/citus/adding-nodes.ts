// Two workers become four while the service writes; the rebalancer spreads the ontologies.
import { setTimeout as sleep } from 'node:timers/promises'
import { startCitus } from '@octavo/dev-database'
import { migrateDatabase, openClusterManagement } from '@octavo/service'
import type { ObjectType } from '../../packages/service/test/inside.ts'
import { openTestStore } from '../../packages/service/test/support/open-test-store.ts'
import { expect, type Proof } from '../harness/prove.ts'
import { putOf } from '../harness/load-sample.ts'
import { sampleDefinition, sampleEmployee } from '../harness/sample-employees.ts'

export const proveAddingNodes = (proof: Proof): Promise<void> =>
  proof.point('Workers are added while it runs, and the rebalancer spreads the ontologies', async () => {
    const count = proof.short ? 6 : 24
    const citus = await startCitus({ workers: proof.short ? 1 : 2 })
    const store = openTestStore({ databaseUrl: citus.url, databasePoolSize: 8 })
    const management = openClusterManagement(citus.url)
    try {
      await migrateDatabase(citus.url, () => {})
      const types: ObjectType[] = []
      for (let number = 0; number < count; number += 1) {
        const ontology = await store.applyOntology({ apiName: `o${number}`, displayName: `${number}` })
        types.push(await store.applyObjectType(ontology, sampleDefinition))
      }
      const before = (await management.nodes()).map((node) => node.ontologyCount)
      let commits = 0
      const stop = new AbortController()
      const failures: unknown[] = []
      const writing = (async () => {
        while (!stop.signal.aborted) {
          const type = types[commits % types.length]
          if (type === undefined) return
          const changes = [putOf(type, sampleEmployee(commits))]
          await store.commit({ parts: [{ type, changes }] }).catch((error: unknown) => failures.push(error))
          commits += 1
        }
      })()
      for (let added = 0; added < (proof.short ? 1 : 2); added += 1) await citus.addWorker()
      await store.database.run("select citus_rebalance_start(rebalance_strategy := 'by_shard_count')")
      let running = true
      while (running) {
        await sleep(200)
        const rows = await store.database.rows({
          text: "select from pg_dist_background_job where state not in ('finished', 'failed', 'cancelled')",
          values: [],
        })
        running = rows.length > 0
      }
      stop.abort()
      await writing
      const after = (await management.nodes()).map((node) => node.ontologyCount)
      expect(failures.length === 0, `${failures.length} commits failed: ${String(failures[0])}`)
      const [, ...workers] = after
      expect(Math.max(...workers) - Math.min(...workers) <= 1, `spread unevenly: ${after.join(', ')}`)
      return `ontologies by node: ${before.join(', ')} before, ${after.join(', ')} after; ${commits} commits meanwhile, none failed`
    } finally {
      await management.close()
      await store.database.close()
      await citus.stop()
    }
  })
