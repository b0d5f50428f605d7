// A separate database on the same server, with a service on it.
import { migrateDatabase } from '@octavo/service'
import type { ObjectType, Ontology, Store } from '../../../packages/service/test/inside.ts'
import { collectionOf } from '../../../packages/service/test/support/load-items.ts'
import { openTestStore } from '../../../packages/service/test/support/open-test-store.ts'
import { searching } from '../../../packages/service/test/support/page-revisions.ts'
import { testToken, withTestAccess } from '../../../packages/service/test/support/test-access.ts'
import { loadSample } from '../../harness/load-sample.ts'
import { askJson, type BenchRequest } from '../../harness/ask-json.ts'
import { checkObjects } from '../data/expected-objects.ts'
import { applySampleType, type SpeedData } from '../data/prepare-data.ts'
import { startOctavo } from '../../harness/start-octavo.ts'

const objectsPerType = 300
const pageSize = 100

export interface ServedDatabase {
  readonly newOntology: () => Promise<Ontology>
  /** Creates a type with some objects. */
  readonly newType: (ontology: Ontology) => Promise<BenchRequest>
  /** Milliseconds of one request for the first page of a type. */
  readonly ask: (request: BenchRequest) => Promise<number>
  readonly end: () => Promise<void>
}

export async function serveDatabase(
  { cluster, store }: Pick<SpeedData, 'cluster' | 'store'>,
  name: string,
): Promise<ServedDatabase> {
  await store.database.run(`create database ${name}`)
  const databaseUrl = cluster.databaseUrl(name)
  await migrateDatabase(databaseUrl, () => {})
  const own = await withTestAccess(openTestStore({ databaseUrl }))
  const service = await startOctavo({ databaseUrl, built: false })
  let made = 0
  return {
    newOntology: () => {
      made += 1
      return own.applyOntology({ apiName: `o${made}`, displayName: 'Many', apiFamilies: [`o${made}`] })
    },
    newType: async (ontology) => {
      made += 1
      return requestFor(ontology, await fillType(own, ontology, `type${made}`))
    },
    ask: async (request) => {
      const startedAt = performance.now()
      const answer = await askJson(service.url, request)
      const milliseconds = performance.now() - startedAt
      const { data } = answer as {
        readonly data: readonly { readonly properties: Record<string, unknown> }[]
      }
      checkObjects(
        data.map(({ properties }) => properties),
        { after: -1, pageSize, mode: 'snapshot' },
      )
      return milliseconds
    },
    end: async () => {
      await service.stop()
      await own.database.close()
      await store.database.run(`drop database ${name} with (force)`)
    },
  }
}

async function fillType(store: Store, ontology: Ontology, apiName: string): Promise<ObjectType> {
  const type = await applySampleType(store, ontology, apiName)
  await loadSample(store, type, { objects: objectsPerType, say: () => {} })
  return type
}

function requestFor(ontology: Ontology, type: ObjectType): BenchRequest {
  const { path, init } = searching.call(collectionOf(ontology, type), { pageSize })
  return { ...init, path, headers: { authorization: `Bearer ${testToken}`, ...init.headers } }
}
