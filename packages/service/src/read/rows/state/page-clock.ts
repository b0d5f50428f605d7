// The clock, read in the same statement as the objects.
import type { ObjectType } from '../../../catalog/object-type.ts'
import { StaleDefinition } from '../../../catalog/stale-definition.ts'
import { clockParts, clockSeparator } from '../../sql/compile-clock.ts'

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
}

const names = Object.keys(clockParts)

/** Undefined if the text is not a clock's. */
export function readClock(text: string): PageClock | undefined {
  const parts = text.split(clockSeparator)
  const linked = parts[names.length]
  if (parts.length < names.length || parts.length > names.length + 1) return undefined
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
    ...(linked !== undefined && { linked: linked as 'held' | 'gone' | 'stale' }),
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

/** The checksum as it is sent (P250), if it is known. */
export const checksumText = ({ checksum }: Pick<PageClock, 'checksum'>): string | undefined =>
  checksum === null ? undefined : BigInt(checksum).toString(16).padStart(16, '0')
