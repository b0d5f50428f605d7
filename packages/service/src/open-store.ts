// The store: everything that reads and writes PostgreSQL, put together.
import type { CommitReceipt, ObjectTypeDefinition, OntologyDefinition } from '@octavo/protocol'
import { applyObjectType } from './catalog/apply-object-type.ts'
import { applyOntology } from './catalog/apply-ontology.ts'
import type { ObjectType } from './catalog/object-type.ts'
import type { Ontology } from './catalog/ontology.ts'
import { openCatalog, type Catalog } from './catalog/open-catalog.ts'
import type { TableSide } from './catalog/type-tables.ts'
import { commitQueue } from './commit/commit-queue.ts'
import { stageCommit, type StagedRequest } from './commit/stage-commit.ts'
import { writeCommit, type CommitRequest } from './commit/write-commit.ts'
import type { GoneSignal } from './memory/gone-signal.ts'
import type { Observe } from './observe/observation.ts'
import type { Filter } from './plan/filter.ts'
import type { PagePlan } from './plan/page-plan.ts'
import { openDatabase, type Database } from './postgres/database.ts'
import { createPool, type PoolOptions } from './postgres/create-pool.ts'
import { closingAlso, openReplicas } from './postgres/open-replicas.ts'
import type { PageRows } from './rows/page-rows.ts'
import { countMatches, type Total } from './rows/count-matches.ts'
import { estimateMatches } from './rows/estimate-matches.ts'
import { readObject, type WantedObject } from './rows/read-object.ts'
import { readFromReplica } from './rows/read-from-replica.ts'
import { rowSourcesOf } from './rows/row-sources.ts'
import { replicaChoice } from './rows/replica-choice.ts'
import type { StretchLengths } from './rows/stretch-lengths.ts'
import { prune, type Pruned, type PruneTimes } from './snapshot/prune.ts'

/** What the store takes from outside, so that tests can choose it: time, chance, and how far it reads at a time. */
export interface StoreSources {
  readonly now: () => Date
  /** Milliseconds on a clock that only goes forward. */
  readonly elapsed: () => number
  readonly randomHex: (digits: number) => string
  readonly randomUuid: () => string
  readonly stretchLengths?: StretchLengths
}

export interface Store {
  readonly database: Database
  readonly catalog: Catalog
  /** `madeBy` is the subject who owns an ontology that is new. */
  readonly applyOntology: (definition: OntologyDefinition, madeBy?: string) => Promise<Ontology>
  readonly applyObjectType: (ontology: Ontology, definition: ObjectTypeDefinition) => Promise<ObjectType>
  readonly commit: (request: CommitRequest) => Promise<CommitReceipt>
  readonly stage: (request: StagedRequest) => Promise<CommitReceipt>
  readonly readRows: (plan: PagePlan, signal?: GoneSignal) => Promise<PageRows>
  /** The record of revision 1.0, or nothing when the caller can see no such object. */
  readonly readObject: (
    type: ObjectType,
    wanted: WantedObject,
    signal?: GoneSignal,
  ) => Promise<Buffer | undefined>
  readonly countMatches: (plan: PagePlan, signal?: GoneSignal) => Promise<Total>
  readonly estimateMatches: (
    type: ObjectType,
    filters: readonly Filter[],
    sides: readonly TableSide[],
  ) => Promise<readonly number[]>
  readonly prune: (type: ObjectType, times: PruneTimes) => Promise<Pruned>
}

export interface StoreOptions extends PoolOptions {
  readonly databaseReplicaUrls?: readonly string[]
}

export function openStore(options: StoreOptions, sources: StoreSources, observe: Observe): Store {
  const replicas = openReplicas(options, observe)
  const database = closingAlso(openDatabase(createPool(options, observe)), replicas)
  const catalogSources = { database, ...sources }
  const commitSources = {
    database,
    queue: commitQueue(database),
    now: sources.now,
    newTag: () => sources.randomHex(16),
  }
  const rowSources = {
    ...rowSourcesOf(database, sources),
    replicas: replicaChoice(replicas, sources.elapsed),
    observe,
  }
  return {
    database,
    catalog: openCatalog(catalogSources),
    applyOntology: (definition, madeBy) => applyOntology(catalogSources, definition, madeBy),
    applyObjectType: (ontology, definition) => applyObjectType(catalogSources, ontology, definition),
    commit: (request) => writeCommit(commitSources, request),
    stage: (request) => stageCommit(commitSources, request),
    readRows: (plan, signal) => readFromReplica(rowSources, plan, signal),
    countMatches: (plan, signal) => countMatches(rowSources, plan, signal),
    estimateMatches: (type, filters, sides) => estimateMatches(database, type, filters, sides),
    readObject: (type, wanted, signal) => readObject(database, type, { ...wanted, signal }),
    prune: (type, times) => prune(database, type, times),
  }
}
