import type { Catalog } from '../catalog/open-catalog.ts'
import type { ObjectType } from '../catalog/object-type.ts'
import type { TableSide } from '../catalog/type-tables.ts'
import type { Filter } from '../catalog/filter/filter.ts'
import type { PagePlan } from './plan/page-plan.ts'
import type { Total } from './rows/count-matches.ts'
import type { PageRows } from './rows/page-rows.ts'
import type { ReadLimits } from './rows/read-limits.ts'
import type { WantedObject } from './rows/read-object.ts'

/** What reading needs of the database. */
export interface ReadStore {
  readonly catalog: Catalog
  /** By when a page that is asked for now must have been read, on the store's clock. */
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
}
