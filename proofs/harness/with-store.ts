// A server of PostgreSQL, migrated, with a store and an ontology to fill: what nearly every point needs.
import { startCluster, type Cluster, type ClusterOptions } from '@octavo/dev-database'
import { migrateDatabase } from '@octavo/service'
import type { Ontology, Store, StoreSources } from '../../packages/service/test/inside.ts'
import { openTestStore } from '../../packages/service/test/support/open-test-store.ts'
import { withTestAccess } from '../../packages/service/test/support/test-access.ts'
import { withTemporaryFolder } from './end-with-us.ts'
import type { Environment } from './server-process.ts'
import { longQueue, startService, type ServiceProcess } from './service-process.ts'

export interface ProofStore {
  readonly cluster: Cluster
  readonly databaseUrl: string
  readonly store: Store
  /** Bound to the API family `proof`. */
  readonly ontology: Ontology
}

export interface ProofStoreOptions extends ClusterOptions {
  readonly sources?: Partial<StoreSources>
  readonly statementTimeoutSeconds?: number
}

/** Runs the work with a migrated database on its own server. */
export async function withCluster<T>(
  options: ClusterOptions,
  work: (cluster: Cluster) => Promise<T>,
): Promise<T> {
  const cluster = await startCluster(options)
  try {
    await migrateDatabase(cluster.url, () => {})
    return await work(cluster)
  } finally {
    await cluster.stop()
  }
}

/** With a store. */
export const withStore = <T>(
  { sources, statementTimeoutSeconds = 900, ...options }: ProofStoreOptions,
  work: (proofStore: ProofStore) => Promise<T>,
): Promise<T> =>
  withCluster(options, async (cluster) => {
    const store = await withTestAccess(
      openTestStore({ databaseUrl: cluster.url, statementTimeoutSeconds }, sources),
    )
    try {
      const ontology = await store.applyOntology({
        apiName: 'proof',
        displayName: 'Proof',
        apiFamilies: ['proof'],
      })
      return await work({ cluster, databaseUrl: cluster.url, store, ontology })
    } finally {
      await store.database.close()
    }
  })

export interface ServedLoad extends ProofStore {
  readonly folder: string
}

/** With a folder for files. */
export const withServedLoad = <T>(work: (served: ServedLoad) => Promise<T>): Promise<T> =>
  withStore({}, (proof) => withTemporaryFolder((folder) => work({ ...proof, folder })))

export interface ServedCollection extends ProofStore {
  readonly service: ServiceProcess
  readonly url: string
}

/** With the service in its own process. */
export const withServedCollection = <T>(
  work: (served: ServedCollection) => Promise<T>,
  environment: Environment = {},
): Promise<T> =>
  withStore({}, async (proof) => {
    const service = await startService({
      databaseUrl: proof.databaseUrl,
      environment: { ...longQueue, ...environment },
    })
    try {
      return await work({ ...proof, service, url: service.url })
    } finally {
      await service.stop()
    }
  })
