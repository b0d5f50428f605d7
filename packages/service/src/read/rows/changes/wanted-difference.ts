import type { Filter } from '../../../catalog/filter/filter.ts'
import type { ObjectType } from '../../../catalog/object-type.ts'
import type { PointInTime, Position } from '../../plan/page-plan.ts'
import type { RecordShape } from '../../request/page-request.ts'
import type { Captured } from '../../token/walk.ts'
import type { ChangePlace } from '../../sql/compile-changes-query.ts'

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

export interface ChangePosition {
  /** The changes after this place are left; all since the earlier state when undefined. */
  readonly after?: ChangePlace | undefined
  /** Set if the objects of the changes that were read did not fit into the page: they are read again, and sent from this key on. */
  readonly key?: string | undefined
  /** How far they reach: up to this place, or to the last change when undefined. */
  readonly upTo?: ChangePlace | undefined
}

export const positionTexts = ({ after, key, upTo }: ChangePosition): Position => [
  ...placeTexts(after),
  ...(key === undefined ? [] : [...placeTexts(upTo), key]),
]

export function changePosition(position: Position | undefined): ChangePosition {
  const [version, key, toVersion, toKey, last] = position ?? []
  return { after: placeOf(version, key), upTo: placeOf(toVersion, toKey), key: last ?? undefined }
}

const placeTexts = (place: ChangePlace | undefined): Position => [place?.version ?? null, place?.key ?? null]

const placeOf = (
  version: string | null | undefined,
  key: string | null | undefined,
): ChangePlace | undefined => (version == null || key == null ? undefined : { version, key })
