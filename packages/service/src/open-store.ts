// The store: everything that reads and writes PostgreSQL, put together.
import type { CommitReceipt, ObjectTypeDefinition, OntologyDefinition } from '@octavo/protocol'
import { applyObjectType } from './catalog/apply-object-type.ts'
import { applyOntology } from './catalog/apply-ontology.ts'
import { checkStoredObjects } from './catalog/check-stored-objects.ts'
import { finishAbandoned } from './catalog/finish-object-type.ts'
import type { ObjectType } from './catalog/object-type.ts'
import type { Ontology } from './catalog/ontology.ts'
import { openCatalog, type Catalog } from './catalog/open-catalog.ts'
import type { TableSide } from './catalog/type-tables.ts'
import { commitQueue } from './commit/commit-queue.ts'
import { stageCommit, type StagedRequest } from './commit/stage-commit.ts'
import { writeCommit, type CommitRequest } from './commit/write-commit.ts'
import type { Observe } from './observe/observation.ts'
import type { Filter } from './plan/filter.ts'
import type { PagePlan } from './plan/page-plan.ts'
import { openDatabase, type Database } from './postgres/database.ts'
import { createPool, type PoolOptions } from './postgres/create-pool.ts'
import { exclusivelyWith } from './postgres/exclusively.ts'
import { closingAlso, openReplicas } from './postgres/open-replicas.ts'
import type { PageRows } from './rows/page-rows.ts'
import { countMatches, type Total } from './rows/count-matches.ts'
import { estimateMatches } from './rows/estimate-matches.ts'
import { readObject, type WantedObject } from './rows/read-object.ts'
import { readFromReplica } from './rows/read-from-replica.ts'
import type { ReadLimits } from './rows/read-limits.ts'
import { rowSourcesOf } from './rows/row-sources.ts'
import { replicaChoice } from './rows/replica-choice.ts'
import type { StretchLengths } from './rows/stretch-lengths.ts'
import { pruneKeys } from './snapshot/prune-keys.ts'
import { pruneStaged } from './snapshot/prune-staged.ts'
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
  /** `madeBy` is the subject who owns an ontology that is new, `by` the one whom the audit names; without it there is no row. */
  readonly applyOntology: (definition: OntologyDefinition, madeBy?: string, by?: string) => Promise<Ontology>
  readonly applyObjectType: (
    ontology: Ontology,
    definition: ObjectTypeDefinition,
    by?: string,
  ) => Promise<ObjectType>
  /** Refuses what applying would refuse because of what is stored. */
  readonly checkStoredObjects: (type: ObjectType, definition: ObjectTypeDefinition) => Promise<void>
  /** What an interrupted applying left undone, unless somebody is doing it. */
  readonly finishAbandoned: (type: ObjectType) => Promise<void>
  readonly commit: (request: CommitRequest) => Promise<CommitReceipt>
  readonly stage: (request: StagedRequest) => Promise<CommitReceipt>
  /** On the store's clock: by when a page must be read that is asked for now. */
  readonly answerBy: () => number
  readonly readRows: (plan: PagePlan, limits?: ReadLimits) => Promise<PageRows>
  /** The record of revision 1.0, or nothing when the caller can see no such object. */
  readonly readObject: (
    type: ObjectType,
    wanted: WantedObject,
    signal?: AbortSignal,
  ) => Promise<Buffer | undefined>
  readonly countMatches: (plan: PagePlan, signal?: AbortSignal) => Promise<Total>
  readonly estimateMatches: (
    type: ObjectType,
    filters: readonly Filter[],
    sides: readonly TableSide[],
  ) => Promise<readonly number[]>
  readonly prune: (type: ObjectType, times: PruneTimes) => Promise<Pruned>
  /** Forgets idempotency keys that were used so long ago. */
  readonly pruneKeys: (ontology: Ontology, keptSeconds: number) => Promise<number>
  /** Deletes what batches have left behind that began so long ago. */
  readonly pruneStaged: (ontology: Pick<Ontology, 'schema'>, keptSeconds: number) => Promise<number>
}

export interface StoreOptions extends PoolOptions {
  readonly databaseReplicaUrls?: readonly string[]
  readonly requestTimeoutSeconds: number
  readonly batchTimeoutSeconds: number
}

/** Of the time for a request: what was read must also be written and sent, and a statement may take longer than expected. */
const shareForReading = 5 / 6

export function openStore(options: StoreOptions, sources: StoreSources, observe: Observe): Store {
  const replicas = openReplicas(options, observe)
  const database = closingAlso(openDatabase(createPool(options, observe)), replicas)
  const openAlone = () => openDatabase(createPool({ ...options, databasePoolSize: 1 }, observe))
  const catalogSources = { database, exclusively: exclusivelyWith(openAlone), ...sources }
  const commitSources = {
    database,
    queue: commitQueue(database),
    newTag: () => sources.randomHex(16),
    batchSeconds: options.batchTimeoutSeconds,
  }
  const rowSources = {
    ...rowSourcesOf(database, sources),
    replicas: replicaChoice(replicas, sources.elapsed),
    observe,
  }
  const catalog = openCatalog(catalogSources)
  database.onNewTimeline(() => {
    catalog.forget()
    rowSources.seen.clear()
  })
  return {
    database,
    catalog,
    applyOntology: (definition, madeBy, by) => applyOntology(catalogSources, definition, { madeBy, by }),
    applyObjectType: (ontology, definition, by) =>
      applyObjectType(catalogSources, ontology, { definition, by }),
    checkStoredObjects: (type, definition) => checkStoredObjects(database, type, definition),
    finishAbandoned: (type) => finishAbandoned(catalogSources, type),
    commit: (request) => writeCommit(commitSources, request),
    stage: (request) => stageCommit(commitSources, request),
    answerBy: () => sources.elapsed() + options.requestTimeoutSeconds * 1_000 * shareForReading,
    readRows: (plan, limits) => readFromReplica(rowSources, plan, limits),
    countMatches: (plan, signal) => countMatches(rowSources, plan, signal),
    estimateMatches: (type, filters, sides) => estimateMatches(database, type, filters, sides),
    readObject: (type, wanted, signal) => readObject(database, type, { ...wanted, signal }),
    prune: (type, times) => prune(database, type, times),
    pruneKeys: (ontology, keptSeconds) => pruneKeys(database, ontology, keptSeconds),
    pruneStaged: (ontology, keptSeconds) => pruneStaged(database, ontology, keptSeconds),
  }
}
