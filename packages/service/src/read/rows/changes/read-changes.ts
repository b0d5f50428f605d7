import type { ErrorParameters } from '@octavo/protocol'
import { ServiceError } from '../../../base/errors/service-error.ts'
import { clockSeparator } from '../../sql/compile-clock.ts'
import {
  changeRows,
  compileChangesQuery,
  type ChangePlace,
  type ChangesRange,
} from '../../sql/compile-changes-query.ts'
import type { NamedVersion } from '../../token/snapshot-claims.ts'
import { type PageClock, requireReadable, clockOf } from '../state/page-clock.ts'
import type { RowSources } from '../state/row-sources.ts'

export interface WantedChanges extends Pick<ChangesRange, 'type' | 'at' | 'after' | 'upTo' | 'lastKey'> {
  readonly since: NamedVersion
  /** The most objects. */
  readonly most: number
  /** Whether the earlier state has to be read, too. */
  readonly readsEarlier: boolean
}

export interface ChangedObjects {
  readonly clock: PageClock
  /** In the order of their places. */
  readonly objects: readonly ChangedObject[]
  /** How far was looked; undefined if there is nothing after it. */
  readonly end: ChangePlace | undefined
}

export interface ChangedObject extends ChangePlace {
  /** It was not there in the earlier state. */
  readonly isNew: boolean
}

/** An object that changes all the time has a change for each commit: so many are looked at for a page of few objects. */
const mostLookedAt = 50_000

/**
 * One statement reads the clock and the changes, so all that the clock says is remembered was there when they were read. If most
 * changes are of the same objects, more of them are looked at, up to a bound: then there are fewer objects than wanted.
 */
export async function readChanges(
  sources: Pick<RowSources, 'database'>,
  wanted: WantedChanges,
): Promise<ChangedObjects> {
  const { type, most } = wanted
  for (let reach = most + 1; ; reach = Math.min(reach * 8, mostLookedAt)) {
    const read = await readReach(sources, { ...wanted, reach, most: most + 1 })
    requireRemembered(read, wanted)
    // Between a state and itself nothing is read.
    if (!isSame(wanted)) requireReadable(read.clock, { type, at: wanted.at })
    const { found, end } = read
    const last = found[most - 1]
    const isFull = found.length > most && last !== undefined
    if (!isFull && end !== undefined && reach < mostLookedAt) continue
    return {
      clock: read.clock,
      objects: found.slice(0, most),
      end: isFull ? last : end,
    }
  }
}

const isSame = ({ since, at }: WantedChanges): boolean =>
  at.kind === 'snapshot' && at.version === since.version && at.tag === since.tag

interface Reach {
  readonly clock: PageClock
  /** From which version on changes are remembered. */
  readonly rememberedFrom: bigint
  /** The tag of the earlier state's commit; empty if it is no longer kept. */
  readonly tag: string
  readonly found: readonly ChangedObject[]
  readonly end: ChangePlace | undefined
}

async function readReach({ database }: Pick<RowSources, 'database'>, range: ChangesRange): Promise<Reach> {
  const rows = await database.holding(range.type.schema).rows(compileChangesQuery(range))
  const [first, ...others] = rows.map(({ kind, one, other }) => ({
    kind,
    one: one ?? '',
    other: other ?? '',
  }))
  const clock = clockOf(range.type, first?.one)
  const [from = '', tag = ''] = first?.other.split(clockSeparator) ?? []
  const placeOf = ({ one, other }: { readonly one: string; readonly other: string }) => ({
    version: one,
    key: other,
  })
  const last = others.find(({ kind }) => kind === changeRows.end)
  return {
    clock,
    rememberedFrom: BigInt(from),
    tag,
    found: others
      .filter(({ kind }) => kind !== changeRows.end)
      .map((row) => ({ ...placeOf(row), isNew: row.kind === changeRows.created })),
    end: last && placeOf(last),
  }
}

/** A state whose changes are not all remembered is refused, and the error says why (P275). */
function requireRemembered(
  { clock, rememberedFrom, tag }: Reach,
  { type, since, at, readsEarlier }: WantedChanges,
): void {
  const refuse = (reason: ErrorParameters<'ChangesExpired'>['reason']) => {
    throw new ServiceError('ChangesExpired', { objectType: type.apiName, reason })
  }
  const from = BigInt(since.version)
  const to = BigInt(at.kind === 'snapshot' ? at.version : clock.version)
  if (at.kind === 'snapshot' && to < from) {
    throw new ServiceError('Conjure:UnprocessableEntity', {
      path: '/toSnapshotToken',
      problem: `its state must not be before that of fromSnapshotToken: it has the version ${to}, and that of fromSnapshotToken ${from}`,
    })
  }
  // Commits from the floor on are always kept.
  if (tag === '') refuse(from < BigInt(clock.floor) ? 'tooOld' : 'historyChanged')
  if (tag !== since.tag) refuse('historyChanged')
  if (from < to && from < rememberedFrom) refuse('tooOld')
  if (readsEarlier && from < BigInt(clock.floor)) refuse('tooOld')
}
