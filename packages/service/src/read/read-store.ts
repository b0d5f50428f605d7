import type { Catalog } from '../catalog/open-catalog.ts'
import type { Ontology } from '../catalog/ontology.ts'
import type { ObjectType } from '../catalog/object-type.ts'
import type { EstimateMatches } from './plan/choose-access.ts'
import type { PagePlan } from './plan/page-plan.ts'
import type { Total } from './rows/count-matches.ts'
import type { PageRows } from './rows/page-rows.ts'
import type { ReadLimits } from './rows/read-limits.ts'
import type { TypeVersions } from './rows/read-versions.ts'
import type { WantedObject } from './rows/read-object.ts'
import type { Split, SplitOptions } from './rows/split-collection.ts'

/** What the read path needs from the database. */
export interface ReadStore {
  readonly catalog: Catalog
  /** The time, on the store's clock, by which a page requested now must have been read. */
  readonly answerBy: () => number
  readonly readRows: (plan: PagePlan, limits?: ReadLimits) => Promise<PageRows>
  /** The record as revision 1.0 writes it; nothing when the caller can see no such object. */
  readonly readObject: (
    type: ObjectType,
    wanted: WantedObject,
    signal?: AbortSignal,
  ) => Promise<Buffer | undefined>
  /** The versions of these types in the latest state. */
  readonly readVersions: (
    ontology: Ontology,
    types: readonly [ObjectType, ...ObjectType[]],
  ) => Promise<TypeVersions>
  readonly splitCollection: (type: ObjectType, wanted: SplitOptions, signal?: AbortSignal) => Promise<Split>
  readonly countMatches: (plan: PagePlan, signal?: AbortSignal) => Promise<Total>
  readonly estimateMatches: (
    type: ObjectType,
    ...asked: Parameters<EstimateMatches>
  ) => ReturnType<EstimateMatches>
}
