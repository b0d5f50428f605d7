// An instance on a Citus cluster, beside the watched service.
import { freePort, startCitus } from '@octavo/dev-database'
import { migrateDatabase } from '@octavo/service'
import { loadItems } from '../../packages/service/test/support/load-items.ts'
import { openTestStore } from '../../packages/service/test/support/open-test-store.ts'
import { testToken, withTestAccess } from '../../packages/service/test/support/test-access.ts'
import { serviceProcess } from '../harness/service-process.ts'
import type { Condition } from './condition.ts'

export interface WatchedCluster {
  readonly metricsTarget: string
  readonly conditions: readonly Condition[]
  readonly stop: () => Promise<void>
}

export async function startWatchedCluster(): Promise<WatchedCluster> {
  const citus = await startCitus({ workers: 1 })
  await migrateDatabase(citus.url, () => {})
  const store = await withTestAccess(openTestStore({ databaseUrl: citus.url }))
  const ontology = await store.applyOntology({ apiName: 'proof', displayName: 'Proof' })
  const { type } = await loadItems(store, ontology, 20, 'item')
  await store.database.close()
  const [port, metricsPort] = [await freePort(), await freePort()]
  const instance = serviceProcess({
    databaseUrl: citus.url,
    port,
    environment: () => ({
      OCTAVO_METRICS_PORT: String(metricsPort),
      // As the others: the alert for pruning compares with the longest retention.
      OCTAVO_SNAPSHOT_RETENTION_SECONDS: '60',
    }),
  })
  await instance.start()
  const path = `/api/v1/ontologies/${ontology.rid}/objects/${type.apiName}?pageSize=10`
  const ask = () =>
    fetch(`http://127.0.0.1:${port}${path}`, {
      headers: { authorization: `Bearer ${testToken}` },
      signal: AbortSignal.timeout(20_000),
    })
  const worker = citus.workers()[0]
  return {
    metricsTarget: `127.0.0.1:${metricsPort}`,
    conditions: [
      {
        says: 'a node of a cluster is gone',
        alerts: ['OctavoNodeUnreachable'],
        cause: async (times) => {
          if (times === 0) {
            await ask()
            await worker?.kill()
          }
          await ask()
        },
        undo: async () => {
          await worker?.start()
          await ask()
        },
      },
    ],
    stop: async () => {
      await instance.kill()
      await citus.stop()
    },
  }
}
