// The versions of several object types in one state.
import type { SourcePosition } from '@octavo/protocol'
import type { ObjectType } from '../../../catalog/object-type.ts'
import { StaleDefinition } from '../../../catalog/stale-definition.ts'
import {
  BehindSource,
  compileContains,
  positionOf,
  type AfterPosition,
} from '../../../catalog/source-positions.ts'
import { Parameters } from '../../../base/sql-query.ts'
import type { Row } from '../../../postgres/database.ts'
import type { NamedVersion } from '../../token/snapshot-claims.ts'
import { ServiceError } from '../../../base/errors/service-error.ts'
import { wireTime } from '../../../base/value/column-time.ts'
import { compileStateQuery, type EarlierState } from '../../sql/compile-state-query.ts'
import type { RowSources } from './row-sources.ts'

export interface TypeVersions {
  /** By the number of the object type. */
  readonly versions: ReadonlyMap<number, NamedVersion>
  /** Where the source is in this state, if a position of it was asked for. */
  readonly source?: SourcePosition
  /** When the state is, or was, the latest one for the last time as far as is known: by the database, in milliseconds since 1970. */
  readonly latestUntil: number
}

type Sources = Pick<RowSources, 'database'>

type SomeTypes = readonly [ObjectType, ...ObjectType[]]

/** One statement reads all clocks, so a commit that changes several types is in the state whole or not at all (P241). */
export async function readVersions(
  sources: Sources,
  types: SomeTypes,
  after?: AfterPosition,
): Promise<TypeVersions> {
  const ids = types.map(({ id }) => id)
  const rows = await newestRows(sources, types[0].schema, { ids, after })
  requireRows(types, rows)
  const state = { versions: versionsIn(rows), latestUntil: Number(rows[0]?.['latest_until']) }
  if (after === undefined) return state
  if (rows[0]?.['is_contained'] !== 't') throw new BehindSource(after)
  return { ...state, source: positionOf({ ...rows[0], name: after.source }) }
}

/** The same by the numbers of the types alone, for those who wait for the next version. */
export const newestStates = async (
  sources: Sources,
  schema: string,
  ids: readonly number[],
): Promise<ReadonlyMap<number, NamedVersion>> => versionsIn(await newestRows(sources, schema, { ids }))

interface Newest {
  readonly ids: readonly number[]
  readonly after?: AfterPosition | undefined
}

function newestRows({ database }: Sources, schema: string, { ids, after }: Newest): Promise<readonly Row[]> {
  const parameters = new Parameters()
  const of = parameters.add(ids.map(String), 'integer[]')
  const ofSource = (column: string) =>
    `(select s.${column} from ${schema}.sources s where s.name = ${parameters.add(after?.source ?? null, 'text')}) as ${column}`
  const contained =
    after === undefined
      ? []
      : [
          `${compileContains(after, parameters)} as is_contained`,
          ofSource('generation'),
          ofSource('position'),
        ]
  return database.holding(schema).rows({
    text: `select k.object_type, k.version, m.tag, (extract(epoch from now()) * 1000)::bigint as latest_until${contained.map((column) => `, ${column}`).join('')}
from ${schema}.clock k join ${schema}.commits m on m.object_type = k.object_type and m.version = k.version
where k.object_type = any(${of})`,
    values: parameters.values,
  })
}

const versionsIn = (rows: readonly Row[]): TypeVersions['versions'] =>
  new Map(
    rows.map(({ object_type: id, version, tag }) => [Number(id), { version: version ?? '', tag: tag ?? '' }]),
  )

/** Without a row, the type is gone. */
function requireRows(types: SomeTypes, rows: readonly Row[]): void {
  const missing = types.find(({ id }) => !rows.some((row) => Number(row['object_type']) === id))
  if (missing !== undefined) throw new StaleDefinition(missing)
}

/**
 * Commits that go together have the same time, and no commit of a type has a time before that of an earlier one. So the newest commits
 * of all types that are not after a time are one state: what was committed together is in it whole or not at all (P283).
 */
export async function findState(
  { database }: Sources,
  types: SomeTypes,
  earlier: EarlierState,
): Promise<TypeVersions> {
  const rows = await database.holding(types[0].schema).rows(compileStateQuery(types, earlier))
  requireRows(types, rows)
  refuseLater(rows, earlier)
  // The one that is kept for the shortest time: from then on, the states of all of them can be read.
  const [shortest] = rows
    .filter((row) => row['is_older'] === 't')
    .toSorted((a, b) => ((a['floor_at'] ?? '') > (b['floor_at'] ?? '') ? -1 : 1))
  if (shortest !== undefined) {
    throw new ServiceError('SnapshotTooOld', {
      objectType: types.find(({ id }) => id === Number(shortest['object_type']))?.apiName ?? '',
      oldestReadable: { version: shortest['floor'] ?? '', committedAt: wireTime(shortest['floor_at'] ?? '') },
    })
  }
  return {
    versions: versionsIn(rows),
    latestUntil: Math.min(...rows.map((row) => Number(row['latest_until']))),
  }
}

/** A time or version that is still to come has no state to name. */
function refuseLater([first]: readonly Row[], earlier: EarlierState): void {
  if (first?.['is_later'] !== 't') return
  throw new ServiceError(
    'Conjure:UnprocessableEntity',
    'at' in earlier
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
