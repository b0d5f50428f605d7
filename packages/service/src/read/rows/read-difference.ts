// One page of what is different between two states: objects as they are in the later one, and the keys of those that are not in it.
//
// A stretch of the changes between the two says which objects have changed. They are then read in the later state, all by their
// keys: those that are there are sent, in the order of the key, and those that are not are deleted. If the objects of a stretch
// do not fit into a page, the next page reads the same stretch and goes on after the last key.
import { limits, type DeleteReason } from '@octavo/protocol'
import { allOf, everything, type Filter } from '../../catalog/filter/filter.ts'
import type { ObjectType } from '../../catalog/object-type.ts'
import { chooseOrder } from '../plan/choose-order.ts'
import type { PagePlan, PointInTime, Position } from '../plan/page-plan.ts'
import type { RecordShape } from '../request/page-request.ts'
import type { ChangePlace } from '../sql/compile-changes-query.ts'
import { capturedBy, type Captured } from '../token/captured-by.ts'
import { findKeys, withKeys } from './find-keys.ts'
import type { PageClock } from './page-clock.ts'
import type { PageRows } from './page-rows.ts'
import { readChanges } from './read-changes.ts'
import type { ReadLimits } from './read-limits.ts'
import type { RowSources } from './row-sources.ts'

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

export interface DifferenceSources extends RowSources {
  readonly readRows: (plan: PagePlan, limits?: ReadLimits) => Promise<PageRows>
}

/** A page may have no changes if the caller sees none of them; but not while there is time to look further. */
export async function readDifference(
  sources: DifferenceSources,
  wanted: WantedDifference,
  readLimits: ReadLimits = {},
): Promise<Difference> {
  const endsAt = sources.elapsed() + limits.time.scanSeconds * 1_000
  let { at, position } = wanted
  for (;;) {
    const page = await readStretch(sources, { ...wanted, at, position }, readLimits)
    const isEmpty = page.puts === undefined && page.deletes.length === 0
    if (!isEmpty || page.position === undefined || sources.elapsed() >= endsAt) return page
    at = page.at
    position = page.position
  }
}

async function readStretch(
  sources: DifferenceSources,
  wanted: WantedDifference,
  readLimits: ReadLimits,
): Promise<Difference> {
  const { type, since, filter, pageSize, lastKey } = wanted
  const { after, upTo, key } = placesIn(wanted.position)
  const { clock, objects, end } = await readChanges(sources, {
    type,
    since,
    at: wanted.at,
    after,
    upTo,
    lastKey,
    // The page that read the stretch first may have been larger.
    most: upTo === undefined ? pageSize : limits.page.searchMaximum,
    readsEarlier: filter !== everything,
  })
  const at = wanted.at.kind === 'snapshot' ? wanted.at : capturedBy(clock)
  const keys = objects.map((object) => object.key)
  const puts = await readPuts(sources, { ...wanted, at, keys, after: key }, readLimits)
  // Most often all of them are there.
  const alive =
    puts?.objects === keys.length ? new Set(keys) : await findKeys(sources, type, { keys, filter, at })
  const last = puts?.position?.[0]
  if (last != null) {
    const position = textsOf({ after, upTo: upTo ?? end ?? objects.at(-1), key: last })
    return { clock, at, puts, deletes: [], position }
  }
  const gone = objects.filter((object) => !object.isNew && !alive.has(object.key))
  const deletes = await findDeletions(sources, { ...wanted, at, keys: gone.map((object) => object.key) })
  const next = upTo ?? end
  return { clock, at, puts, deletes, position: next && textsOf({ after: next }) }
}

interface SomeKeys extends WantedDifference {
  readonly at: Captured
  readonly keys: readonly string[]
}

/** Reads the objects with these keys, as far as they are there and the caller sees them, from a key on. */
async function readPuts(
  { readRows }: DifferenceSources,
  {
    type,
    at,
    filter,
    pageSize,
    keys,
    after,
    select,
    record = 'put',
    byteBudget = limits.page.byteBudget,
  }: SomeKeys & { readonly after: string | undefined },
  readLimits: ReadLimits,
): Promise<PageRows | undefined> {
  if (keys.length === 0) return undefined
  const order = chooseOrder(type, [])
  const rows = await readRows(
    {
      type,
      record,
      order,
      position: after === undefined ? undefined : [after],
      at,
      // A page may be smaller than the one that read the stretch first.
      pageSize: Math.min(keys.length, pageSize),
      byteBudget,
      access: { kind: 'gather', order, filter: allOf([withKeys(type, keys), filter]) },
      select: select && [type.key.property, ...select],
    },
    readLimits,
  )
  return rows.objects === 0 ? undefined : rows
}

/** Only what the caller has seen in the earlier state is deleted for it (P273). */
async function findDeletions(
  sources: DifferenceSources,
  { type, since, at, policy, filter, keys }: SomeKeys,
): Promise<readonly Deletion[]> {
  if (filter === everything) return keys.map((key) => ({ key, reason: 'deleted' }))
  const seen = [...(await findKeys(sources, type, { keys, filter, at: since }))]
  // Where the policy alone decides, whatever is not there is deleted.
  const left =
    filter === policy ? new Set() : await findKeys(sources, type, { keys: seen, filter: policy, at })
  return seen.map((key) => ({ key, reason: left.has(key) ? 'left' : 'deleted' }))
}

interface Places {
  /** The stretch begins after this place; at the earlier state when undefined. */
  readonly after?: ChangePlace | undefined
  /** The stretch is read again, up to this place, ... */
  readonly upTo?: ChangePlace | undefined
  /** ... and its objects are sent from this key on. */
  readonly key?: string | undefined
}

const textsOf = ({ after, upTo, key }: Places): Position => [
  after?.version ?? null,
  after?.key ?? null,
  ...(upTo === undefined ? [] : [upTo.version, upTo.key, key ?? null]),
]

function placesIn(position: Position | undefined): Places {
  const [version, key, toVersion, toKey, last] = position ?? []
  const placeOf = (a: string | null | undefined, b: string | null | undefined) =>
    a == null || b == null ? undefined : { version: a, key: b }
  return { after: placeOf(version, key), upTo: placeOf(toVersion, toKey), key: last ?? undefined }
}
