import { startCluster } from '@octavo/dev-database'
import { migrateDatabase } from '@octavo/service'
import type { Ontology, Store, StoreSources } from '../../packages/service/test/inside.ts'
import { openTestStore } from '../../packages/service/test/support/open-test-store.ts'
import { withTestAccess } from '../../packages/service/test/support/test-access.ts'

export interface ProofStore {
  readonly databaseUrl: string
  readonly store: Store
  /** Bound to the API family `proof`. */
  readonly ontology: Ontology
}

export interface ProofStoreOptions {
  readonly settings?: Readonly<Record<string, string>>
  readonly sources?: Partial<StoreSources>
}

/** Runs the work with a store on its own server. */
export async function withStore(
  { settings = {}, sources = {} }: ProofStoreOptions,
  work: (proofStore: ProofStore) => Promise<void>,
): Promise<void> {
  const cluster = await startCluster({ settings })
  try {
    await migrateDatabase(cluster.url, () => {})
    const store = await withTestAccess(
      openTestStore({ databaseUrl: cluster.url, statementTimeoutSeconds: 900 }, sources),
    )
    try {
      const ontology = await store.applyOntology({
        apiName: 'proof',
        displayName: 'Proof',
        apiFamilies: ['proof'],
      })
      await work({ databaseUrl: cluster.url, store, ontology })
    } finally {
      await store.database.close()
    }
  } finally {
    await cluster.stop()
  }
}
