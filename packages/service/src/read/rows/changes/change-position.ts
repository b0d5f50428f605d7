// Where a page of changes ended, as the texts of a position.
import type { Position } from '../../plan/page-plan.ts'
import type { ChangePlace } from '../../sql/compile-changes-query.ts'

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
