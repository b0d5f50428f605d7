import type { Filter } from '../../../catalog/filter/filter.ts'
import type { ObjectType } from '../../../catalog/object-type.ts'
import type { PointInTime, Position } from '../../plan/page-plan.ts'
import type { RecordShape } from '../../request/page-request.ts'
import type { Captured } from '../../token/captured-by.ts'

export interface WantedDifference {
  readonly type: ObjectType
  readonly since: Captured
  /** The later state; it is captured on the first page. */
  readonly at: PointInTime
  /** What the caller may read, and that together with what was asked for. */
  readonly policy: Filter
  readonly filter: Filter
  readonly pageSize: number
  readonly select: readonly string[] | undefined
  /** How objects are written, and how many bytes of them: as changes and as a page, unless it says otherwise. */
  readonly record?: RecordShape
  readonly byteBudget?: number
  readonly position: Position | undefined
  /** Only objects up to this key; all of them when undefined. */
  readonly lastKey?: string | undefined
}
