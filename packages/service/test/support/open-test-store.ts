// A store on a fresh database, for tests and proofs, with what they do with it most often.
import type { CommitReceipt, ObjectTypeDefinition, OntologyDefinition } from '@octavo/protocol'
import { randomHex, randomUuid } from '../../src/guard/auth/random.ts'
import type { Ontology } from '../../src/catalog/ontology.ts'
import type { ObjectType } from '../../src/catalog/object-type.ts'
import { addGrant } from '../../src/manage/grants.ts'
import { openStore, type Store, type StoreSources } from '../../src/open-store.ts'
import type { PagePlan } from '../../src/read/plan/page-plan.ts'
import type { PageRows } from '../../src/read/rows/page/page-rows.ts'
import type { ReadLimits } from '../../src/read/rows/page/page-rows.ts'
import { readPageAnywhere } from '../../src/read/rows/page/read-page-anywhere.ts'
import { pruneLoads, type LoadTimes } from '../../src/upkeep/prune/prune-loads.ts'
import { stageCommit, type StagedRequest } from '../../src/write/commit/stage-commit.ts'
import { writeCommit, type CommitRequest } from '../../src/write/commit/write-commit.ts'
import { applyObjectType } from '../../src/write/define/apply-object-type.ts'
import { applyOntology } from '../../src/write/define/apply-ontology.ts'
import type { EstimateMatches } from '../../src/read/plan/choose-access.ts'
import { estimateMatches } from '../../src/read/rows/numbers/estimate-matches.ts'
import { prune, type Pruned, type PruneTimes } from '../../src/upkeep/prune/prune.ts'

export interface TestStoreOptions {
  readonly databaseUrl: string
  readonly databasePoolSize?: number
  readonly statementTimeoutSeconds?: number
  readonly allowsStandby?: boolean
  readonly connectSeconds?: number
  readonly databaseRouting?: 'direct' | 'coordinator'
}

/** The store, and what tests do with it most often. */
export interface TestStore extends Store {
  /** `madeBy` is the subject that owns a new ontology. */
  readonly applyOntology: (
    definition: OntologyDefinition,
    applying?: { readonly madeBy?: string },
  ) => Promise<Ontology>
  readonly applyObjectType: (ontology: Ontology, definition: ObjectTypeDefinition) => Promise<ObjectType>
  readonly commit: (request: CommitRequest) => Promise<CommitReceipt>
  readonly stage: (request: StagedRequest) => Promise<CommitReceipt>
  readonly readPage: (plan: PagePlan, limits?: ReadLimits) => Promise<PageRows>
  readonly estimateMatches: (
    type: ObjectType,
    ...estimated: Parameters<EstimateMatches>
  ) => ReturnType<EstimateMatches>
  readonly prune: (type: ObjectType, times: PruneTimes) => Promise<Pruned>
  readonly pruneLoads: (ontology: Ontology, times: LoadTimes) => Promise<number>
  readonly close: () => Promise<void>
}

export function openTestStore(options: TestStoreOptions, sources: Partial<StoreSources> = {}): TestStore {
  const store = openStore(
    {
      databasePoolSize: 10,
      statementTimeoutSeconds: 60,
      connectSeconds: 60,
      batchTimeoutSeconds: 3_600,
      ...options,
    },
    { now: () => new Date(), elapsed: () => performance.now(), randomHex, randomUuid, ...sources },
    () => {},
  )
  return {
    ...store,
    applyOntology: (definition, { madeBy: name } = {}) =>
      applyOntology(store, definition, {
        giveOwner: async (transaction, rid) => {
          if (name === undefined) return
          await addGrant(transaction, rid, { principal: { type: 'subject', name }, role: 'owner' })
        },
      }),
    applyObjectType: (ontology, definition) => applyObjectType(store, ontology, { definition }),
    commit: (request) => writeCommit(store, request),
    stage: (request) => stageCommit(store, request),
    readPage: (plan, limits) => readPageAnywhere(store, plan, limits),
    estimateMatches: (type, filters, sides) => estimateMatches(store, type, filters, sides),
    prune: (type, times) => prune(store.database, type, times),
    pruneLoads: (ontology, times) => pruneLoads(store.database, ontology, times),
    close: () => store.database.close(),
  }
}
