import { startCluster } from '@octavo/dev-database'
import { migrateDatabase } from '@octavo/service'
import type { Ontology, Store } from '../../packages/service/test/inside.ts'
import { loadItems } from '../../packages/service/test/support/load-items.ts'
import { openTestStore } from '../../packages/service/test/support/open-test-store.ts'
import type { Collection } from '../../packages/service/test/support/page-revisions.ts'
import { withTestAccess } from '../../packages/service/test/support/test-access.ts'
import { startMeasuredService, type MeasuredService } from './service-process.ts'

export interface ServedItems {
  readonly databaseUrl: string
  readonly service: MeasuredService
  /** A store beside the service, to write through. */
  readonly store: Store
  readonly ontology: Ontology
  readonly collection: Collection
}

/** Runs the service with a small collection while the work runs. */
export async function withServedItems(work: (served: ServedItems) => Promise<void>): Promise<void> {
  const cluster = await startCluster()
  try {
    await migrateDatabase(cluster.url, () => {})
    const store = await withTestAccess(openTestStore({ databaseUrl: cluster.url }))
    const ontology = await store.applyOntology({
      apiName: 'proof',
      displayName: 'Proof',
      apiFamilies: ['proof'],
    })
    const { collection } = await loadItems(store, ontology, 50)
    const service = await startMeasuredService(cluster.url)
    try {
      await work({ databaseUrl: cluster.url, service, store, ontology, collection })
    } finally {
      await service.stop()
      await store.database.close()
    }
  } finally {
    await cluster.stop()
  }
}
