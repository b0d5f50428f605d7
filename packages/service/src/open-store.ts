// The store: assembles everything that reads and writes PostgreSQL.
import { limits } from '@octavo/protocol'
import { applyObjectType } from './write/define/apply-object-type.ts'
import { applyOntology } from './write/define/apply-ontology.ts'
import { checkStoredObjects } from './write/define/check-stored-objects.ts'
import { finishAbandoned } from './write/define/finish-object-type.ts'
import { typesWithoutCounts } from './write/define/count-values.ts'
import { openCatalog } from './catalog/open-catalog.ts'
import { commitQueue } from './write/commit/commit-queue.ts'
import { finishConnections } from './write/bulk/finish-load.ts'
import { openLoads } from './write/bulk/open-loads.ts'
import { previewCommit, stageCommit } from './write/commit/stage-commit.ts'
import { writeCommit } from './write/commit/write-commit.ts'
import type { Observe } from './observe/observation.ts'
import { openDatabase, type Database } from './postgres/database.ts'
import { createPool } from './postgres/create-pool.ts'
import { exclusivelyWith } from './postgres/exclusively.ts'
import { closingAlso, openReplicas } from './postgres/open-replicas.ts'
import { openNodes, type NodesOptions } from './postgres/nodes/open-nodes.ts'
import { countMatches } from './read/rows/numbers/count-matches.ts'
import { findState, newestStates, readVersions } from './read/rows/state/read-versions.ts'
import { findKeys } from './read/rows/state/find-keys.ts'
import { estimateMatches } from './read/rows/numbers/estimate-matches.ts'
import { readAggregate } from './read/rows/numbers/read-aggregate.ts'
import { readDifference } from './read/rows/changes/read-difference.ts'
import { readTypeCommits } from './read/rows/state/read-type-commits.ts'
import { readObjectVersions } from './read/rows/page/read-object-versions.ts'
import { readObject, readObjectAt } from './read/rows/page/read-object.ts'
import { readFromReplica } from './read/rows/page/read-from-replica.ts'
import { rowSourcesOf, type StretchLengths } from './read/rows/state/row-sources.ts'
import { partitionCollection } from './read/rows/numbers/partition-collection.ts'
import { replicaChoice } from './read/rows/page/replica-choice.ts'
import type { ReadStore } from './read/walk/read-store.ts'
import type { PruneStore } from './upkeep/prune/prune-store.ts'
import type { WriteStore } from './write/write-store.ts'
import { addGrant } from './manage/grants.ts'
import { clockLead } from './upkeep/prune/clock-lead.ts'
import { pruneKeys } from './upkeep/prune/prune-keys.ts'
import { pruneLoads } from './upkeep/prune/prune-loads.ts'
import { pruneStaged } from './upkeep/prune/prune-staged.ts'
import { prune } from './upkeep/prune/prune.ts'

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

export interface Store extends ReadStore, WriteStore, PruneStore {
  readonly database: Database
}

export interface StoreOptions extends NodesOptions {
  readonly databaseReplicaUrls?: readonly string[]
  readonly requestTimeoutSeconds: number
  readonly batchTimeoutSeconds: number
}

/**
 * The share of a request's time that reading may take: the page must also be written and sent, and a statement may take longer
 * than expected.
 */
const shareForReading = 5 / 6

export function openStore(options: StoreOptions, sources: StoreSources, observe: Observe): Store {
  const replicas = openReplicas(options, observe)
  const database = closingAlso(openNodes(options, sources.elapsed, observe), replicas)
  const openApart = (databasePoolSize: number) =>
    openDatabase(createPool({ ...options, databasePoolSize }, observe))
  const exclusively = exclusivelyWith(() => openApart(1))
  const catalogSources = { database, exclusively, ...sources }
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
  const readPage: Store['readPage'] = (plan, limits) => readFromReplica(rowSources, plan, limits)
  const catalog = openCatalog(catalogSources)
  database.onNewTimeline(() => {
    catalog.forget()
    rowSources.lastRead.clear()
  })
  return {
    database,
    catalog,
    applyOntology: (definition, { madeBy, ...applying } = {}) =>
      applyOntology(catalogSources, definition, {
        ...applying,
        giveOwner:
          madeBy === undefined
            ? undefined
            : async (transaction, rid) => {
                await addGrant(transaction, rid, {
                  principal: { type: 'subject', name: madeBy },
                  role: 'owner',
                })
              },
      }),
    applyObjectType: (ontology, definition, applying) =>
      applyObjectType(catalogSources, ontology, { definition, ...applying }),
    checkStoredObjects: (type, definition) =>
      checkStoredObjects(database.holding(type.schema), type, definition),
    typesWithoutCounts: (ontology) => typesWithoutCounts(database.holding(ontology.schema), ontology),
    finishAbandoned: (type) => finishAbandoned(catalogSources, type),
    commit: (request) => writeCommit(commitSources, request),
    stage: (request) => stageCommit(commitSources, request),
    loads: openLoads({
      ...commitSources,
      exclusively,
      openApart: () => openApart(finishConnections),
      newLoadId: () => sources.randomHex(32),
    }),
    preview: (lines) => previewCommit(commitSources, lines),
    answerBy: () => sources.elapsed() + options.requestTimeoutSeconds * 1_000 * shareForReading,
    readPage,
    mostLinkedKeys: sources.mostLinkedKeys ?? limits.query.inValues,
    readVersions: (ontology, types) => readVersions(database.holding(ontology.schema), types),
    findState: (ontology, types, wanted) => findState(database.holding(ontology.schema), types, wanted),
    readTypeCommits: (type, wanted) => readTypeCommits(database.holding(type.schema), type, wanted),
    partitionCollection: (type, wanted, signal) => partitionCollection(database, type, wanted, signal),
    findKeys: (type, wanted) => findKeys(rowSources, type, wanted),
    readDifference: (wanted, limits) => readDifference({ ...rowSources, readPage }, wanted, limits),
    newestStates: (schema, ids) => newestStates(database.holding(schema), schema, ids),
    countMatches: (plan, signal) => countMatches(rowSources, plan, signal),
    readAggregate: (plan, limits) => readAggregate({ ...rowSources, readPage }, plan, limits),
    estimateMatches: (type, filters, sides) =>
      estimateMatches(database.holding(type.schema), type, filters, sides),
    readObject: (type, { at, ...wanted }, signal) =>
      at === undefined
        ? readObject(database.holding(type.schema), type, { ...wanted, signal })
        : readObjectAt(readPage, type, { ...wanted, at }, signal),
    readObjectVersions: (type, wanted) => readObjectVersions(database.holding(type.schema), type, wanted),
    prune: (type, times) =>
      prune(database.holding(type.schema), type, { ...times, canTruncate: !database.isCitus() }),
    clockLead: clockLead((ontology) => database.holding(ontology.schema), sources),
    pruneKeys: (ontology, keptSeconds) => pruneKeys(database.holding(ontology.schema), ontology, keptSeconds),
    // On a cluster there are no loads (write/bulk/loads.ts).
    pruneLoads: async (ontology, times) =>
      database.isCitus() ? 0 : pruneLoads(database.holding(ontology.schema), ontology, times),
    pruneStaged: (ontology, keptSeconds) =>
      pruneStaged(database.holding(ontology.schema), ontology, keptSeconds),
  }
}
