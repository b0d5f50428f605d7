// The clock, read in the same statement as the objects.
import type { ObjectType } from '../../../catalog/object-type.ts'
import { BehindSource } from '../../../catalog/source-positions.ts'
import { StaleDefinition } from '../../../catalog/stale-definition.ts'
import { clockParts, clockSeparator, compileClockQuery } from '../../sql/compile-clock.ts'
import { ServiceError } from '../../../base/errors/service-error.ts'
import type { PagePlan } from '../../plan/page-plan.ts'
import type { Database } from '../../../postgres/database.ts'

export interface PageClock {
  readonly version: string
  /** The oldest version that can still be read whole. */
  readonly floor: string
  readonly live: string
  /** The revision of the type's definition, with its tag. */
  readonly revision: number
  readonly revisionTag: string
  /** The size in bytes of the largest object that the type ever had. */
  readonly largest: number
  /** The tag of the commit whose version was asked for (or captured); null when there is no such commit. */
  readonly tag: string | null
  readonly snapshotLive: string | null
  /** The checksum of that version. */
  readonly checksum: string | null
  /** The newest epoch of history. */
  readonly epoch: number
  /** The epoch that began with that commit: what was alive then has ended in it or later. */
  readonly snapshotEpoch: number | null
  /** The states of other types that the statement has read too. */
  readonly linked?: 'held' | 'gone' | 'stale' | undefined
  /** Whether the state contains the position that was asked for. */
  readonly after?: 'contained' | 'behind' | undefined
}

const names = Object.keys(clockParts)

/** What a clock says only if it is asked, and of what. */
const moreParts = {
  held: 'linked',
  gone: 'linked',
  stale: 'linked',
  contained: 'after',
  behind: 'after',
} as const

/** Undefined if the text is not a clock's. */
export function readClock(text: string): PageClock | undefined {
  const parts = text.split(clockSeparator)
  const more = parts.slice(names.length)
  if (parts.length < names.length || !more.every((each) => each in moreParts)) return undefined
  const part = (name: keyof typeof clockParts) => parts[names.indexOf(name)] ?? ''
  return {
    version: part('version'),
    floor: part('floor'),
    live: part('live'),
    revision: Number(part('revision')),
    revisionTag: part('revisionTag'),
    largest: Number(part('largest')),
    tag: part('tag') || null,
    snapshotLive: part('snapshotLive') || null,
    checksum: part('checksum') || null,
    epoch: Number(part('epoch')),
    snapshotEpoch: part('snapshotEpoch') === '' ? null : Number(part('snapshotEpoch')),
    ...Object.fromEntries(more.map((each) => [moreParts[each as keyof typeof moreParts], each])),
  }
}

/**
 * Nothing is used of a page that was read under another definition than the one its statement was compiled for. If the clock is
 * missing, the type is gone, and what the catalog says about it is out of date.
 */
export function requireDefinition(type: ObjectType, clock: PageClock | undefined): PageClock {
  if (clock?.revision !== type.revision || clock.revisionTag !== type.revisionTag) {
    throw new StaleDefinition(type)
  }
  return clock
}

/** The clock of a statement, whose first row or column this text is. */
export const clockOf = (type: ObjectType, text: string | Buffer | null | undefined): PageClock =>
  requireDefinition(type, readClock(text?.toString() ?? ''))

/** The checksum as it is sent (P250). */
export const checksumText = ({ checksum }: Pick<PageClock, 'checksum'>): string | undefined =>
  checksum === null ? undefined : BigInt(checksum).toString(16).padStart(16, '0')

/** The server that answered cannot show the version. Another one may, which is why the error says how far this one is. */
export class SnapshotNotReadable extends ServiceError<'ConsistentSnapshotError'> {
  readonly reached: string

  constructor({ version }: PageClock, { apiName }: ObjectType) {
    super('ConsistentSnapshotError', { objectType: apiName })
    this.reached = version
  }
}

/**
 * Every statement that reads a part of a page, or of a total, passes its clock to this check: two statements may be answered by
 * two servers, and rows that the first one found may be gone for the second. Nothing of a snapshot that is gone is ever sent
 * (P36).
 */
export function requireReadable(
  clock: PageClock,
  { at, type, linked }: Pick<PagePlan, 'at' | 'type' | 'linked'>,
): void {
  const [other] = linked ?? []
  if (other !== undefined) requireLinked(clock, other.type)
  if (at.kind !== 'snapshot' && at.after !== undefined && clock.after !== 'contained')
    throw new BehindSource(at.after)
  if (at.kind === 'snapshot' && checkSnapshot(clock, at) === 'gone')
    throw new SnapshotNotReadable(clock, type)
}

/** The rows of other types, which a filter has looked at, are proven by the same statement. */
function requireLinked(clock: PageClock, other: ObjectType): void {
  if (clock.linked === 'held') return
  if (clock.linked === 'gone') throw new SnapshotNotReadable(clock, other)
  throw new StaleDefinition(other)
}

/** What the first page of a snapshot walk fixed. */
export interface CapturedSnapshot {
  readonly version: string
  readonly tag: string | null
}

/**
 * Says whether the rows that came with this clock are those of the snapshot. They are not if the server has not reached the
 * version yet, or if parts of it were deleted before the read; such rows must not be shown to anyone. A statement sees the clock
 * and the rows in one state, and a replica passes through the states of the primary, so a clock that has reached the version
 * comes with all rows of it. The tag distinguishes the version from another one with the same number: the database may have been
 * restored to an earlier state and written to again.
 */
export function checkSnapshot(
  clock: Pick<PageClock, 'version' | 'floor' | 'tag'>,
  captured: CapturedSnapshot,
): 'readable' | 'gone' {
  const version = BigInt(captured.version)
  if (BigInt(clock.version) < version || BigInt(clock.floor) > version) return 'gone'
  return clock.tag !== null && clock.tag === captured.tag ? 'readable' : 'gone'
}

/** Reads the clock alone, without objects. */
export async function askClock(
  { database }: { readonly database: Pick<Database, 'holding'> },
  plan: Pick<PagePlan, 'type' | 'at'>,
  signal: AbortSignal | undefined,
): Promise<PageClock> {
  const answer = await database.holding(plan.type.schema).bytes(compileClockQuery(plan), signal)
  const clock = clockOf(plan.type, answer?.[0])
  requireReadable(clock, plan)
  return clock
}
