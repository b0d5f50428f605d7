// One server with the same objects twice: as Octavo stores them, and as the plain table that the peers read.
import { readFile } from 'node:fs/promises'
import { startCluster, type Cluster } from '@octavo/dev-database'
import { migrateDatabase } from '@octavo/service'
import type { ObjectType, Ontology, Store } from '../../../packages/service/test/inside.ts'
import { collectionOf } from '../../../packages/service/test/support/load-items.ts'
import { openTestStore } from '../../../packages/service/test/support/open-test-store.ts'
import type { Collection } from '../../../packages/service/test/support/page-revisions.ts'
import { withTestAccess } from '../../../packages/service/test/support/test-access.ts'
import { loadSample, putOf } from '../../harness/load-sample.ts'
import { newestVersion } from '../../harness/newest-version.ts'
import { sampleDefinition, sampleEmployee } from '../../harness/sample-employees.ts'
import type { FlatPoint } from '../flat/measure-page.ts'
import { isChanged } from './expected-objects.ts'
import type { Snapshot } from './snapshot.ts'

export interface SpeedData {
  readonly cluster: Cluster
  readonly store: Store
  readonly ontology: Ontology
  readonly type: ObjectType
  readonly collection: Collection
  readonly objects: number
  /** The state before a tenth of the objects changed. */
  readonly before: Snapshot
  /** What was measured before that change. */
  readonly whole: FlatPoint
  readonly end: () => Promise<void>
}

export interface DataOptions {
  readonly objects: number
  readonly say: (line: string) => void
  readonly beforeChange: (store: Store, type: ObjectType, objects: number) => Promise<FlatPoint>
}

export async function prepareData({ objects, say, beforeChange }: DataOptions): Promise<SpeedData> {
  // Everything measured fits into memory twice over, as it would on a dedicated server.
  const cluster = await startCluster({ settings: { shared_buffers: '2GB', max_wal_size: '8GB' } })
  const store = openTestStore({ databaseUrl: cluster.url, statementTimeoutSeconds: 3_600 })
  const end = async () => {
    await store.database.close()
    await cluster.stop()
  }
  try {
    await migrateDatabase(cluster.url, () => {})
    const owned = await withTestAccess(store)
    const ontology = await owned.applyOntology({
      apiName: 'speed',
      displayName: 'Speed',
      apiFamilies: ['speed'],
    })
    const type = await applySampleType(store, ontology, 'employee')
    const startedAt = performance.now()
    await loadSample(store, type, { objects, say })
    const before = await newestVersion(store, type)
    const whole = await beforeChange(store, type, objects)
    await changeWhere(store, type, { objects, isChanged })
    await settle(store, type)
    await fillPlainTable(store, objects)
    const seconds = Math.round((performance.now() - startedAt) / 1000)
    say(`${objects.toLocaleString('en')} objects and a plain table of them, made in ${seconds} s`)
    const collection = collectionOf(ontology, type)
    return { cluster, store, ontology, type, collection, objects, before, whole, end }
  } catch (error) {
    await end()
    throw error
  }
}

/** Without other orders: reading by primary key needs none. */
export const applySampleType = (store: Store, ontology: Ontology, apiName: string): Promise<ObjectType> => {
  const { department: _sortable, age: _searchable, ...rest } = sampleDefinition.properties
  return store.applyObjectType(ontology, {
    ...sampleDefinition,
    apiName,
    properties: { ...rest, department: { type: 'string' }, age: { type: 'integer' } },
    orders: [],
  })
}

export interface ChangeOptions {
  readonly objects: number
  readonly isChanged: (number: number) => boolean
  /** The edition that each changed object becomes. */
  readonly edition?: number
}

/** Changes objects as loading a new file of the same collection does: in key order, batch by batch. */
export async function changeWhere(
  store: Store,
  type: ObjectType,
  { objects, isChanged, edition = 1 }: ChangeOptions,
): Promise<void> {
  const atOnce = 50_000
  for (let from = 0; from < objects; from += atOnce) {
    const numbers = Array.from({ length: Math.min(atOnce, objects - from) }, (_, i) => from + i)
    const changes = numbers.filter(isChanged).map((number) => putOf(type, sampleEmployee(number, edition)))
    for (let at = 0; at < changes.length; at += 5_000) {
      await store.commit({ parts: [{ type, changes: changes.slice(at, at + 5_000) }] })
    }
  }
}

/** Vacuums, so that no page pays for what loading left behind, and none profits from a vacuum that happens to run. */
export async function settle(store: Store, type: ObjectType): Promise<void> {
  await store.database.run(`vacuum analyze ${type.tables.current}`)
  await store.database.run(`vacuum analyze ${type.tables.history}`)
}

async function fillPlainTable(store: Store, objects: number): Promise<void> {
  const text = await readFile(new URL('../../harness/peers/plain-table.sql', import.meta.url), 'utf8')
  await store.database.run(text.replaceAll(':objects', String(objects)))
  await store.database.run('vacuum analyze bench.employees')
}
