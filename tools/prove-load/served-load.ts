// A database, a store to inspect it beside the service, and a folder for files: what every point needs.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startCluster, type Cluster } from '@octavo/dev-database'
import { migrateDatabase } from '@octavo/service'
import type { Ontology, Store } from '../../packages/service/test/inside.ts'
import { openTestStore } from '../../packages/service/test/support/open-test-store.ts'
import { withTestAccess } from '../../packages/service/test/support/test-access.ts'

export interface ServedLoad {
  readonly cluster: Cluster
  readonly databaseUrl: string
  readonly store: Store
  readonly ontology: Ontology
  readonly folder: string
}

export async function withServedLoad<T>(work: (served: ServedLoad) => Promise<T>): Promise<T> {
  const cluster = await startCluster()
  const folder = await mkdtemp(join(tmpdir(), 'octavo-prove-load-'))
  try {
    await migrateDatabase(cluster.url, () => {})
    const store = await withTestAccess(openTestStore({ databaseUrl: cluster.url }))
    try {
      const ontology = await store.applyOntology({
        apiName: 'proof',
        displayName: 'Proof',
        apiFamilies: ['proof'],
      })
      return await work({ cluster, databaseUrl: cluster.url, store, ontology, folder })
    } finally {
      await store.database.close()
    }
  } finally {
    await cluster.stop()
    await rm(folder, { recursive: true, force: true })
  }
}
