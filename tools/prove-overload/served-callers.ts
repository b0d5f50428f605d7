// One instance with default options, a collection, and callers to read it.
import { fileURLToPath } from 'node:url'
import { startCluster } from '@octavo/dev-database'
import { migrateDatabase } from '@octavo/service'
import type { BenchRequest } from '../../bench/contestants/contestant.ts'
import { freePort } from '@octavo/dev-database'
import { startServedProcess, type ServedProcess } from '../../bench/services/served-process.ts'
import { loadItems, putItems } from '../../packages/service/test/support/load-items.ts'
import { openTestStore } from '../../packages/service/test/support/open-test-store.ts'
import { searching, type Collection } from '../../packages/service/test/support/page-revisions.ts'
import { testKey } from '../../packages/service/test/support/start-test-service.ts'
import { grantTo, newTokenOf } from '../../packages/service/test/support/test-access.ts'
import { databaseAtDistance } from './database-at-distance.ts'

export interface ServedCallers {
  /** Requests for a page of this many objects, one from each of the callers. */
  readonly requestsFor: (pageSize: number) => readonly BenchRequest[]
  /** Requests for a page that ends at its byte budget. */
  readonly largeRequests: readonly BenchRequest[]
  /** Runs an instance while the work runs. */
  readonly withInstance: <T>(
    place: DatabasePlace,
    work: (instance: ServedProcess) => Promise<T>,
  ) => Promise<T>
}

export type DatabasePlace = 'near' | 'distant'

export async function withServedCallers(
  /** How long an answer of a distant database takes; nine pages can be read in that time. */
  databaseMilliseconds: number,
  work: (served: ServedCallers) => Promise<void>,
): Promise<void> {
  const cluster = await startCluster()
  const store = openTestStore({ databaseUrl: cluster.url })
  const distant = await databaseAtDistance(cluster.url, databaseMilliseconds)
  try {
    await migrateDatabase(cluster.url, () => {})
    const ontology = await store.applyOntology({
      apiName: 'proof',
      displayName: 'Proof',
      apiFamilies: ['proof'],
    })
    const small = await loadItems(store, ontology, 2_000, 'small')
    const large = await loadItems(store, ontology, 0, 'large')
    for (let from = 0; from < 100; from += 20) {
      const some = Array.from({ length: 20 }, (_, i) => ({
        id: `i${from + i}`,
        label: 'x'.repeat(900),
        tags: [tag],
      }))
      await putItems(store, large.type, some)
    }
    const tokens: string[] = []
    for (let number = 0; number < 20; number += 1) {
      const subject = `caller-${number}`
      await grantTo(store, subject, ontology.rid, 'reader')
      tokens.push((await newTokenOf(store, { subject })).token)
    }
    await work({
      requestsFor: (pageSize) => tokens.map((token) => requestFor(small.collection, pageSize, token)),
      largeRequests: tokens.map((token) => requestFor(large.collection, 1_000, token)),
      withInstance: async (place, use) => {
        const instance = await startInstance(place === 'near' ? cluster.url : distant.url)
        try {
          return await use(instance)
        } finally {
          await instance.stop()
        }
      },
    })
  } finally {
    await store.database.close()
    distant.close()
    await cluster.stop()
  }
}

/** Makes a hundred objects larger than a page can hold. */
const tag = 'y'.repeat(100_000)

function requestFor(collection: Collection, pageSize: number, token: string): BenchRequest {
  const { path, init } = searching.call(collection, { pageSize })
  return { ...init, path, headers: { authorization: `Bearer ${token}`, ...init.headers } }
}

async function startInstance(databaseUrl: string): Promise<ServedProcess> {
  const port = await freePort()
  return startServedProcess({
    file: fileURLToPath(new URL('../../packages/service/src/main.ts', import.meta.url)),
    port,
    // As packages/octavo/bin/octavo.js starts it.
    nodeOptions: ['--max-semi-space-size=8', '--conditions=@octavo/source'],
    ready: { method: 'GET', path: '/health/ready', headers: {} },
    environment: {
      OCTAVO_PORT: String(port),
      OCTAVO_DATABASE_URL: databaseUrl,
      OCTAVO_PAGE_TOKEN_KEYS: testKey('a', 1),
      // The default is 10,000, and the proof holds more.
      OCTAVO_MAX_CONNECTIONS: '20000',
    },
  })
}
