import type { OldestReadable } from '@octavo/protocol'
import { wireTime } from '../../../base/value/column-time.ts'
import type { ObjectType } from '../../../catalog/object-type.ts'
import type { Row } from '../../../postgres/database.ts'
import {
  compileVersionsQuery,
  type VersionPlace,
  type VersionsRange,
} from '../../sql/compile-versions-query.ts'
import { recordEnd, recordSeparator } from '../../sql/record-text.ts'
import { capturedBy, type Captured } from '../../token/walk.ts'
import { requireReadable, clockOf } from '../state/page-clock.ts'
import type { RowSources } from '../state/row-sources.ts'

export interface WantedVersions extends Omit<VersionsRange, 'type' | 'at'> {
  /** The state of the first page; undefined for the first page. */
  readonly at: Captured | undefined
}

export interface ObjectVersions {
  readonly at: Captured
  readonly oldestReadable: OldestReadable
  /** Newest first, at most as many as wanted. */
  readonly versions: readonly ObjectVersion[]
  /** Where the next page begins; undefined if nothing follows. */
  readonly next: VersionPlace | undefined
}

/** A state of the object, or its absence between two states. */
export interface ObjectVersion {
  readonly version: string
  readonly committedAt: string | undefined
  readonly until: string | undefined
  /** The record as it is sent; undefined if the object was not there. */
  readonly record: string | undefined
}

/** One statement reads the clock and the states, so the states are those of the clock's version. */
export async function readObjectVersions(
  { database }: RowSources,
  type: ObjectType,
  { at, most, ...wanted }: WantedVersions,
): Promise<ObjectVersions> {
  // One more, which shows whether anything follows.
  const range = { ...wanted, type, at: at ?? ({ kind: 'capture' } as const), most: most + 1 }
  const rows = await database.holding(type.schema).rows(compileVersionsQuery(range))
  const clock = clockOf(type, rows[0]?.['clock'])
  requireReadable(clock, range)
  const states = rows.filter((row) => row['version_from'] != null)
  const found = versionsOf(states, wanted.before)
  const versions = found.slice(0, most)
  const isEnd = found.length <= most && states.every((row) => row['head'] != null)
  return {
    at: at ?? capturedBy(clock),
    oldestReadable: { version: clock.floor, committedAt: wireTime(rows[0]?.['floor_at'] ?? '') },
    versions: versions.map(({ place: _place, ...version }) => version),
    next: isEnd ? undefined : versions.at(-1)?.place,
  }
}

type PlacedVersion = ObjectVersion & { readonly place: VersionPlace }

/**
 * Between two states that do not follow each other the object was not there, or could not be seen, which looks the same (P281). So it
 * is after a state that has ended and that none follows.
 */
function versionsOf(states: readonly Row[], before: VersionPlace | undefined): readonly PlacedVersion[] {
  const versions: PlacedVersion[] = []
  let next = before?.version
  let epoch = before?.epoch ?? null
  for (const row of states) {
    const ended = row['version_to'] ?? undefined
    epoch = row['epoch'] ?? epoch
    const add = (
      version: string,
      time: string | null | undefined,
      rest: Pick<ObjectVersion, 'until' | 'record'>,
    ) =>
      versions.push({
        version,
        committedAt: time == null ? undefined : wireTime(time),
        ...rest,
        place: { version, epoch },
      })
    if (ended !== undefined && ended !== next) add(ended, row['ended_at'], { until: next, record: undefined })
    // The byte budget is reached.
    if (row['head'] == null) return versions
    const began = row['version_from'] ?? ''
    const record = `${row['head'].slice(recordSeparator('2.0').length)}${row['value'] ?? ''}${recordEnd('2.0')}`
    add(began, row['began_at'], { until: ended, record })
    next = began
  }
  return versions
}
