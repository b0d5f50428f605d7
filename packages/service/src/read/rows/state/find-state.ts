// The versions of several object types in an earlier state.
import { ServiceError } from '../../../base/errors/service-error.ts'
import { wireTime } from '../../../base/value/column-time.ts'
import type { ObjectType } from '../../../catalog/object-type.ts'
import { StaleDefinition } from '../../../catalog/stale-definition.ts'
import type { Row } from '../../../postgres/database.ts'
import { compileStateQuery, type EarlierState } from '../../sql/compile-state-query.ts'
import type { TypeVersions } from './read-versions.ts'
import type { RowSources } from './row-sources.ts'

/**
 * Commits that go together have the same time, and no commit of a type has a time before that of an earlier one. So the newest commits
 * of all types that are not after a time are one state: what was committed together is in it whole or not at all (P283).
 */
export async function findState(
  { database }: RowSources,
  types: readonly [ObjectType, ...ObjectType[]],
  wanted: EarlierState,
): Promise<TypeVersions> {
  const rows = await database.holding(types[0].schema).rows(compileStateQuery(types, wanted))
  const byType = new Map(rows.map((row) => [Number(row['object_type']), row]))
  const missing = types.find(({ id }) => !byType.has(id))
  if (missing !== undefined) throw new StaleDefinition(missing)
  refuseLater(rows, wanted)
  // The one that is kept for the shortest time: from then on, the states of all of them can be read.
  const [shortest] = types
    .map(({ id, apiName }) => ({ apiName, row: byType.get(id) ?? {} }))
    .filter(({ row }) => row['is_older'] === 't')
    .toSorted((a, b) => ((a.row['floor_at'] ?? '') > (b.row['floor_at'] ?? '') ? -1 : 1))
  if (shortest !== undefined) {
    const { apiName: objectType, row } = shortest
    throw new ServiceError('SnapshotTooOld', {
      objectType,
      oldestReadable: { version: row['floor'] ?? '', committedAt: wireTime(row['floor_at'] ?? '') },
    })
  }
  return {
    versions: new Map(
      [...byType].map(([id, { version, tag }]) => [id, { version: version ?? '', tag: tag ?? '' }]),
    ),
    latestUntil: Math.min(...rows.map((row) => Number(row['latest_until']))),
  }
}

/** What is still to come has no state that could be named. */
function refuseLater([first]: readonly Row[], wanted: EarlierState): void {
  if (first?.['is_later'] !== 't') return
  throw new ServiceError(
    'Conjure:UnprocessableEntity',
    'at' in wanted
      ? {
          path: '/at',
          problem: `it must be a time that has passed: by the clock of the database it is ${wireTime(first['present'] ?? '')}`,
        }
      : {
          path: '/version',
          problem: `it must be a version up to ${first['newest']}, which is the latest`,
        },
  )
}
