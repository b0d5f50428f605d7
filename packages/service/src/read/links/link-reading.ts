import type { ObjectType } from '../../catalog/object-type.ts'
import type { EstimateMatches } from '../plan/choose-access.ts'
import type { PagePlan } from '../plan/page-plan.ts'
import type { Total } from '../rows/numbers/count-matches.ts'
import type { PageRows } from '../rows/page/page-rows.ts'
import type { ReadLimits } from '../rows/page/read-limits.ts'

/** What following a link needs from the database. */
export interface LinkReading {
  /** If more objects match on the other side of a link, their keys are not looked up first. */
  readonly mostLinkedKeys: number
  readonly readPage: (plan: PagePlan, limits?: ReadLimits) => Promise<PageRows>
  readonly countMatches: (plan: PagePlan, signal?: AbortSignal) => Promise<Total>
  readonly estimateMatches: (
    type: ObjectType,
    ...asked: Parameters<EstimateMatches>
  ) => ReturnType<EstimateMatches>
}
