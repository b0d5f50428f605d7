// One page of what is different between two states: objects as they are in the later one, and the keys of those that are not in it.
//
// Some of the changes between the two say which objects have changed. They are then read in the later state, all by their keys:
// those that are there are sent, in the order of the key, and those that are not are deleted. If the objects of these changes do
// not fit into a page, the next page reads the same changes and continues after the last key.
import { limits, type DeleteReason } from '@octavo/protocol'
import { everything, allOf } from '../../../catalog/filter/filter.ts'
import type { Position } from '../../plan/page-plan.ts'
import { capturedBy, type Captured } from '../../token/walk.ts'
import { changePosition, positionTexts, type WantedDifference } from './wanted-difference.ts'
import { findKeys, withKeys } from '../state/find-keys.ts'
import { findVisibleChanges } from './find-visible-changes.ts'
import type { PageClock } from '../state/page-clock.ts'
import type { PageRows, ReadLimits } from '../page/page-rows.ts'
import { readChanges } from './read-changes.ts'
import { chooseOrder } from '../../plan/choose-order.ts'
import { readPageAnywhere } from '../page/read-page-anywhere.ts'
import type { RowSources } from '../state/row-sources.ts'

export interface Difference {
  /** Of the later state. */
  readonly clock: PageClock
  readonly at: Captured
  readonly puts: PageRows | undefined
  readonly deletes: readonly Deletion[]
  /** Undefined on the last page. */
  readonly position: Position | undefined
}

export interface Deletion {
  readonly key: string
  readonly reason: DeleteReason
}

/** A page may have no changes although others follow; but not while there is time to look further. */
export async function readDifference(
  sources: RowSources,
  wanted: WantedDifference,
  readLimits: ReadLimits = {},
): Promise<Difference> {
  const endsAt = sources.elapsed() + limits.time.scanSeconds * 1_000
  if (wanted.filter !== everything) return readVisible(sources, wanted, { ...readLimits, endsAt })
  let { at, position } = wanted
  for (;;) {
    const page = await readStretch(sources, { ...wanted, at, position }, readLimits)
    const isEmpty = page.puts === undefined && page.deletes.length === 0
    if (!isEmpty || page.position === undefined || sources.elapsed() >= endsAt) return page
    at = page.at
    position = page.position
  }
}

/** Where the caller sees all objects, a stretch is a page. */
async function readStretch(
  sources: RowSources,
  wanted: WantedDifference,
  readLimits: ReadLimits,
): Promise<Difference> {
  const { type, since, filter, pageSize, lastKey } = wanted
  const { after, upTo, key } = changePosition(wanted.position)
  const { clock, objects, end } = await readChanges(sources, {
    type,
    since,
    at: wanted.at,
    after,
    upTo,
    lastKey,
    // The page that read the stretch first may have been larger.
    most: upTo === undefined ? pageSize : limits.page.searchMaximum,
    readsEarlier: false,
  })
  const at = wanted.at.kind === 'snapshot' ? wanted.at : capturedBy(clock)
  const keys = objects.map((object) => object.key)
  const puts = await readPuts(sources, { ...wanted, at, keys, after: key }, readLimits)
  // Most often all of them are there.
  const alive =
    puts?.objects === keys.length ? new Set(keys) : await findKeys(sources, type, { keys, filter, at })
  const last = puts?.position?.[0]
  if (last != null) {
    const position = positionTexts({ after, upTo: upTo ?? end ?? objects.at(-1), key: last })
    return { clock, at, puts, deletes: [], position }
  }
  const gone = objects.filter((object) => !object.isNew && !alive.has(object.key))
  const deletes = gone.map((object) => ({ key: object.key, reason: 'deleted' as const }))
  const next = upTo ?? end
  return { clock, at, puts, deletes, position: next && positionTexts({ after: next }) }
}

/**
 * Where the caller sees only some objects, a page has the next changes that it sees, and says that others
 * follow only if it sees another one. So nothing about a page shows changes that the caller does not see; unless the time is up
 * (P271).
 */
async function readVisible(
  sources: RowSources,
  wanted: WantedDifference,
  { endsAt, ...readLimits }: ReadLimits & { readonly endsAt: number },
): Promise<Difference> {
  const { after, upTo, key } = changePosition(wanted.position)
  const isReadAgain = key !== undefined
  const { clock, at, changes, end } = await findVisibleChanges(sources, wanted, {
    after,
    upTo,
    most: isReadAgain ? Infinity : wanted.pageSize + 1,
    endsAt: isReadAgain ? Infinity : endsAt,
  })
  const shown = isReadAgain ? changes : changes.slice(0, wanted.pageSize)
  const next = upTo ?? (shown.length < changes.length ? shown.at(-1) : end)
  const keysOf = (isThere: boolean) =>
    shown.filter((change) => change.isThere === isThere).map((change) => change.key)
  const puts = await readPuts(sources, { ...wanted, at, keys: keysOf(true), after: key }, readLimits)
  const last = puts?.position?.[0]
  if (last != null)
    return { clock, at, puts, deletes: [], position: positionTexts({ after, upTo: next, key: last }) }
  const deletes = await withReasons(sources, { ...wanted, at }, keysOf(false))
  return { clock, at, puts, deletes, position: next && positionTexts({ after: next }) }
}

/** Only what the caller could read in the earlier state is deleted for it (P273). */
async function withReasons(
  sources: RowSources,
  { type, policy, filter, at }: WantedDifference & { readonly at: Captured },
  keys: readonly string[],
): Promise<readonly Deletion[]> {
  // Where the policy alone decides, all that is not there is deleted.
  const left =
    filter === policy ? new Set<string>() : await findKeys(sources, type, { keys, filter: policy, at })
  return keys.map((key) => ({ key, reason: left.has(key) ? 'left' : 'deleted' }))
}

interface WantedPuts extends WantedDifference {
  readonly at: Captured
  readonly keys: readonly string[]
  /** Only objects after this key; all of them when undefined. */
  readonly after: string | undefined
}

/** Reads the objects with these keys, as far as they are there and the caller sees them, in the order of the key. */
async function readPuts(
  sources: RowSources,
  wanted: WantedPuts,
  readLimits: ReadLimits,
): Promise<PageRows | undefined> {
  const { type, at, filter, pageSize, keys, after, select } = wanted
  if (keys.length === 0) return undefined
  const order = chooseOrder(type, [])
  const rows = await readPageAnywhere(
    sources,
    {
      type,
      record: wanted.record ?? 'change',
      order,
      position: after === undefined ? undefined : [after],
      at,
      // A page may be smaller than the one that read these changes first.
      pageSize: Math.min(keys.length, pageSize),
      byteBudget: wanted.byteBudget ?? limits.page.byteBudget,
      access: { kind: 'gather', order, filter: allOf([withKeys(type, keys), filter]) },
      select: select && [type.key.property, ...select],
    },
    readLimits,
  )
  return rows.objects === 0 ? undefined : rows
}
