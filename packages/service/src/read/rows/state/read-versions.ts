// The versions of several object types in one state.
import type { ObjectType } from '../../../catalog/object-type.ts'
import { StaleDefinition } from '../../../catalog/stale-definition.ts'
import type { NamedVersion } from '../../token/snapshot-claims.ts'
import type { RowSources } from './row-sources.ts'

export interface TypeVersions {
  /** By the number of the object type. */
  readonly versions: ReadonlyMap<number, NamedVersion>
  /** When the state is, or was, the latest one for the last time as far as is known: by the database, in milliseconds since 1970. */
  readonly latestUntil: number
}

/** One statement reads all clocks, so a commit that changes several types is in the state whole or not at all (P241). */
export async function readVersions(
  { database }: Pick<RowSources, 'database'>,
  types: readonly [ObjectType, ...ObjectType[]],
): Promise<TypeVersions> {
  const [{ schema, tables }] = types
  const rows = await database.holding(schema).rows({
    text: `select k.object_type, k.version, m.tag, (extract(epoch from now()) * 1000)::bigint as latest_until
from ${tables.clock} k join ${tables.commits} m on m.object_type = k.object_type and m.version = k.version
where k.object_type = any($1::integer[])`,
    values: [types.map(({ id }) => String(id))],
  })
  const versions = new Map(
    rows.map(({ object_type: id, version, tag }) => [Number(id), { version: version ?? '', tag: tag ?? '' }]),
  )
  const missing = types.find(({ id }) => !versions.has(id))
  if (missing !== undefined) throw new StaleDefinition(missing)
  return { versions, latestUntil: Number(rows[0]?.['latest_until']) }
}

/** The same by the numbers of the types alone, for those who wait for the next version. */
export async function newestStates(
  { database }: Pick<RowSources, 'database'>,
  schema: string,
  ids: readonly number[],
): Promise<ReadonlyMap<number, NamedVersion>> {
  const rows = await database.holding(schema).rows({
    text: `select k.object_type, k.version, m.tag
from ${schema}.clock k join ${schema}.commits m on m.object_type = k.object_type and m.version = k.version
where k.object_type = any($1::integer[])`,
    values: [ids.map(String)],
  })
  return new Map(
    rows.map(({ object_type: id, version, tag }) => [Number(id), { version: version ?? '', tag: tag ?? '' }]),
  )
}
