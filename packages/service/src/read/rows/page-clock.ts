// What the clock said, in the same statement that read the objects.
import type { ObjectType } from '../../catalog/object-type.ts'
import { StaleDefinition } from '../../catalog/stale-definition.ts'
import { clockParts, clockSeparator } from '../sql/compile-clock.ts'

export interface PageClock {
  readonly version: string
  /** The oldest version that can still be read whole. */
  readonly floor: string
  readonly live: string
  /** Of the definition of the type, with its tag. */
  readonly revision: number
  readonly revisionTag: string
  /** Bytes of the largest object that the type ever had. */
  readonly largest: number
  /** Of the commit whose version was asked for (or captured); null when there is none. */
  readonly tag: string | null
  readonly snapshotLive: string | null
}

const names = Object.keys(clockParts)

/** Nothing if it is no text of a clock. */
export function readClock(text: string): PageClock | undefined {
  const parts = text.split(clockSeparator)
  if (parts.length !== names.length) return undefined
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
  }
}

/**
 * Nothing is used of a page that was read under another definition than the one its statement was made for. Without a clock
 * the type is gone, and so is what the catalog says about it.
 */
export function requireDefinition(type: ObjectType, clock: PageClock | undefined): PageClock {
  if (clock?.revision !== type.revision || clock.revisionTag !== type.revisionTag) {
    throw new StaleDefinition(type)
  }
  return clock
}
