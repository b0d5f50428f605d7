// The changes of objects that a caller sees, where it does not see all of them: stretch after stretch of all changes, each looked at in
// both states.
import { limits } from '@octavo/protocol'
import { capturedBy, type Captured } from '../../token/walk.ts'
import type { ChangePlace } from '../../sql/compile-changes-query.ts'
import { findKeys } from '../state/find-keys.ts'
import type { PageClock } from '../state/page-clock.ts'
import { readChanges, type ChangedObject } from './read-changes.ts'
import type { RowSources } from '../state/row-sources.ts'
import type { WantedDifference } from './wanted-difference.ts'

export interface VisibleRange {
  readonly after: ChangePlace | undefined
  readonly upTo: ChangePlace | undefined
  /** So many changes are enough. */
  readonly most: number
  /** No further stretch is begun then, on the clock of the sources. */
  readonly endsAt: number
}

export interface VisibleChanges {
  readonly clock: PageClock
  /** The later state. */
  readonly at: Captured
  /** In the order of their places. */
  readonly changes: readonly VisibleChange[]
  /** How far was looked; undefined if there is nothing after it. */
  readonly end: ChangePlace | undefined
}

interface VisibleChange extends ChangePlace {
  /** The caller sees it in the later state; otherwise only in the earlier one. */
  readonly isThere: boolean
}

export async function findVisibleChanges(
  sources: RowSources,
  wanted: WantedDifference,
  { after, upTo, most, endsAt }: VisibleRange,
): Promise<VisibleChanges> {
  const { type, since, lastKey } = wanted
  const stretch = { type, since, upTo, lastKey, readsEarlier: true }
  const changes: VisibleChange[] = []
  let { at } = wanted
  let length = Math.min(most, longestStretch)
  for (let from = after; ;) {
    const { clock, objects, end } = await readChanges(sources, { ...stretch, at, after: from, most: length })
    const captured = at.kind === 'snapshot' ? at : capturedBy(clock)
    changes.push(...(await visibleOf(sources, { ...wanted, at: captured }, objects)))
    if (end === undefined || changes.length >= most || sources.elapsed() >= endsAt)
      return { clock, at: captured, changes, end }
    at = captured
    from = end
    length = longestStretch
  }
}

/** One stretch fills a page of any size if the caller sees all of it; the one row more shows whether others follow. */
const longestStretch = limits.page.searchMaximum + 1

async function visibleOf(
  sources: RowSources,
  { type, since, filter, at }: WantedDifference & { readonly at: Captured },
  objects: readonly ChangedObject[],
): Promise<readonly VisibleChange[]> {
  const keysOf = (some: readonly ChangedObject[]) => some.map(({ key }) => key)
  const now = await findKeys(sources, type, { keys: keysOf(objects), filter, at })
  const gone = objects.filter(({ key, isNew }) => !isNew && !now.has(key))
  const before = await findKeys(sources, type, { keys: keysOf(gone), filter, at: since })
  return objects.flatMap(({ version, key }) =>
    now.has(key) || before.has(key) ? [{ version, key, isThere: now.has(key) }] : [],
  )
}
