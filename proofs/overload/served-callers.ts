// One instance with default options, a collection, and callers to read it.
import type { BenchRequest } from '../harness/ask-json.ts'
import { startService, type ServiceProcess } from '../harness/service-process.ts'
import { loadItems, putItems } from '../../packages/service/test/support/load-items.ts'
import { withStore } from '../harness/with-store.ts'
import { searching, type Collection } from '../../packages/service/test/support/page-revisions.ts'
import { grantTo, newTokenOf } from '../../packages/service/test/support/test-access.ts'
import { databaseAtDistance } from './database-at-distance.ts'

export interface ServedCallers {
  /** Requests for a page of this many objects, one from each of the callers. */
  readonly requestsFor: (pageSize: number) => readonly BenchRequest[]
  /** Requests for a page that ends at its byte budget. */
  readonly largeRequests: readonly BenchRequest[]
  /** Runs an instance while the work runs. */
  readonly withInstance: <T>(
    distance: DatabaseDistance,
    work: (instance: ServiceProcess) => Promise<T>,
  ) => Promise<T>
}

export type DatabaseDistance = 'near' | 'distant'

export async function withServedCallers(
  /** How long an answer of a distant database takes; nine pages can be read in that time. */
  databaseMilliseconds: number,
  work: (served: ServedCallers) => Promise<void>,
): Promise<void> {
  await withStore({}, async ({ cluster, store, ontology }) => {
    const distant = await databaseAtDistance(cluster.url, databaseMilliseconds)
    try {
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
        withInstance: async (distance, use) => {
          const instance = await startService({
            databaseUrl: distance === 'near' ? cluster.url : distant.url,
            log: 'discarded',
            // The default is 10,000, and the proof holds more.
            environment: { OCTAVO_LOG_LEVEL: 'info', OCTAVO_MAX_CONNECTIONS: '20000' },
          })
          try {
            return await use(instance)
          } finally {
            await instance.stop()
          }
        },
      })
    } finally {
      await distant.close()
    }
  })
}

/** Makes a hundred objects larger than a page can hold. */
const tag = 'y'.repeat(100_000)

function requestFor(collection: Collection, pageSize: number, token: string): BenchRequest {
  const { path, init } = searching.call(collection, { pageSize })
  return { ...init, path, headers: { authorization: `Bearer ${token}`, ...init.headers } }
}
