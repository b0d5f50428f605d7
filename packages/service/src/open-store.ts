// The store: what everything that reads and writes PostgreSQL needs.
import { openCatalog, type Catalog } from './catalog/open-catalog.ts'
import type { Observe } from './observe/observation.ts'
import { createPool } from './postgres/create-pool.ts'
import { openDatabase } from './postgres/database.ts'
import { exclusivelyWith } from './postgres/exclusively.ts'
import { openNodes, type NodesOptions } from './postgres/nodes/open-nodes.ts'
import { closingAlso, openReplicas } from './postgres/open-replicas.ts'
import { replicaChoice } from './read/rows/state/replica-choice.ts'
import { rowSourcesOf, type RowSources, type StretchLengths } from './read/rows/state/row-sources.ts'
import { finishConnections } from './write/bulk/finish-load.ts'
import { openLoads, type Loads } from './write/bulk/open-loads.ts'
import { commitQueue } from './write/commit/commit-queue.ts'
import type { CommitSources } from './write/commit/write-commit.ts'
import type { PreparingSources } from './write/define/finish-object-type.ts'

/** What the store takes from outside, so that tests can control it: time, randomness, and how much it reads at a time. */
export interface StoreSources {
  readonly now: () => Date
  /** Milliseconds on a monotonic clock. */
  readonly elapsed: () => number
  readonly randomHex: (digits: number) => string
  readonly randomUuid: () => string
  readonly stretchLengths?: StretchLengths
  readonly mostLinkedKeys?: number
}

export interface Store extends RowSources, CommitSources, PreparingSources {
  readonly catalog: Catalog
  readonly loads: Loads
}

export interface StoreOptions extends NodesOptions {
  readonly databaseReplicaUrls?: readonly string[]
  readonly batchTimeoutSeconds: number
}

export function openStore(options: StoreOptions, sources: StoreSources, observe: Observe): Store {
  const { now, elapsed, randomHex, randomUuid } = sources
  const replicas = openReplicas(options, observe)
  const database = closingAlso(openNodes(options, elapsed, observe), replicas)
  const openApart = (databasePoolSize: number) =>
    openDatabase(createPool({ ...options, databasePoolSize }, observe))
  const exclusively = exclusivelyWith(() => openApart(1))
  const catalog = openCatalog({ database, elapsed })
  const rowSources = rowSourcesOf(database, {
    ...sources,
    replicas: replicaChoice(replicas, elapsed),
    observe,
  })
  const commitSources = {
    database,
    queue: commitQueue(database),
    newTag: () => randomHex(16),
    batchSeconds: options.batchTimeoutSeconds,
  }
  database.onNewTimeline(() => {
    catalog.forget()
    rowSources.lastRead.clear()
  })
  return {
    ...rowSources,
    ...commitSources,
    now,
    randomHex,
    randomUuid,
    exclusively,
    catalog,
    loads: openLoads({
      ...commitSources,
      exclusively,
      openApart: () => openApart(finishConnections),
      newLoadId: () => randomHex(32),
    }),
  }
}
