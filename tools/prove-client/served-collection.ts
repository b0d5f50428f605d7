import { startCluster } from '@octavo/dev-database'
import { migrateDatabase } from '@octavo/service'
import type { Ontology, Store } from '../../packages/service/test/inside.ts'
import { openTestStore } from '../../packages/service/test/support/open-test-store.ts'
import { withTestAccess } from '../../packages/service/test/support/test-access.ts'
import { startMeasuredService } from '../prove-pages/service-process.ts'

export interface ServedCollection {
  readonly url: string
  readonly store: Store
  /** Bound to the API family `proof`. */
  readonly ontology: Ontology
}

/** The service in its own process, on a database that the work fills itself. */
export async function withServedCollection<T>(
  work: (served: ServedCollection) => Promise<T>,
  environment: Readonly<Record<string, string>> = {},
): Promise<T> {
  const cluster = await startCluster()
  try {
    await migrateDatabase(cluster.url, () => {})
    const store = await withTestAccess(openTestStore({ databaseUrl: cluster.url }))
    const ontology = await store.applyOntology({
      apiName: 'proof',
      displayName: 'Proof',
      apiFamilies: ['proof'],
    })
    const service = await startMeasuredService(cluster.url, environment)
    try {
      return await work({ url: service.url, store, ontology })
    } finally {
      await service.stop()
      await store.database.close()
    }
  } finally {
    await cluster.stop()
  }
}
