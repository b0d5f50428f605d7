import { startCluster, type Cluster } from '@octavo/dev-database'
import { migrateDatabase } from '@octavo/service'
import type { Ontology, Store } from '../../packages/service/test/inside.ts'
import { openTestStore } from '../../packages/service/test/support/open-test-store.ts'
import { withTestAccess } from '../../packages/service/test/support/test-access.ts'
import { startMeasuredService } from '../prove-pages/service-process.ts'

/** A database that the work fills itself, with no service yet. */
export interface ProofOntology {
  readonly cluster: Cluster
  readonly store: Store
  /** Bound to the API family `proof`. */
  readonly ontology: Ontology
}

export interface ServedCollection extends ProofOntology {
  readonly url: string
  /** The process of the service. */
  readonly pid: number
  /** Log lines of failed requests. */
  readonly failures: () => readonly string[]
}

export async function withProofOntology<T>(work: (proof: ProofOntology) => Promise<T>): Promise<T> {
  const cluster = await startCluster()
  try {
    await migrateDatabase(cluster.url, () => {})
    const store = await withTestAccess(openTestStore({ databaseUrl: cluster.url }))
    try {
      const ontology = await store.applyOntology({
        apiName: 'proof',
        displayName: 'Proof',
        apiFamilies: ['proof'],
      })
      return await work({ cluster, store, ontology })
    } finally {
      await store.database.close()
    }
  } finally {
    await cluster.stop()
  }
}

/** The service in its own process, on such a database. */
export const withServedCollection = <T>(
  work: (served: ServedCollection) => Promise<T>,
  environment: Readonly<Record<string, string>> = {},
): Promise<T> =>
  withProofOntology(async (proof) => {
    const service = await startMeasuredService(proof.cluster.url, environment)
    try {
      return await work({ ...proof, url: service.url, pid: service.pid, failures: service.failures })
    } finally {
      await service.stop()
    }
  })
