import { withCluster } from '../harness/with-store.ts'
import type { Collection } from '../../packages/service/test/support/page-revisions.ts'
import { loadItems } from '../../packages/service/test/support/load-items.ts'
import { startTestService, type TestService } from '../../packages/service/test/support/start-test-service.ts'

export interface ServedAccess {
  readonly databaseUrl: string
  /** Both on the same database. */
  readonly instances: readonly [TestService, TestService]
  readonly collection: Collection
}

/** Runs two instances of the service with a small collection while the work runs. */
export const withServedAccess = <T>(work: (served: ServedAccess) => Promise<T>): Promise<T> =>
  withCluster({}, async (cluster) => {
    const first = await startTestService({ databaseUrl: cluster.url })
    const second = await startTestService({ databaseUrl: cluster.url })
    try {
      const ontology = await first.store.applyOntology({
        apiName: 'proof',
        displayName: 'Proof',
        apiFamilies: ['proof'],
      })
      const { collection } = await loadItems(first.store, ontology, 50)
      return await work({ databaseUrl: cluster.url, instances: [first, second], collection })
    } finally {
      await first.close()
      await second.close()
    }
  })
