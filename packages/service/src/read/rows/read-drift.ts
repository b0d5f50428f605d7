// What has been committed between two versions: how far the pages of a walk in default mode may differ from one state.
import type { Drift } from '@octavo/protocol'
import { limits } from '@octavo/protocol'
import type { ObjectType } from '../../catalog/object-type.ts'
import type { SchemaDatabase } from '../../postgres/database.ts'

export interface DriftRange {
  readonly first: { readonly version: string; readonly tag: string }
  /** The version that the last page has shown. */
  readonly last: string
}

/** Counts no more commits than a limit allows, and says so. If the first of them is not known any more, nothing is counted. */
export async function readDrift(
  database: SchemaDatabase,
  { id, tables }: ObjectType,
  { first, last }: DriftRange,
): Promise<Drift> {
  const [row] = await database.rows({
    text: `select (select tag from ${tables.commits} where object_type = $1 and version = $2) as tag,
  count(*) as commits, coalesce(sum(put), 0) as puts, coalesce(sum(deleted), 0) as deletes
from (select put, deleted from ${tables.commits} where object_type = $1 and version > $2 and version <= $3 order by version limit $4) m`,
    values: [id, first.version, last, limits.walk.countedCommits + 1],
  })
  const range = { fromVersion: first.version, toVersion: last }
  // Another commit has this version: the database was restored, or has failed over.
  if (row?.['tag'] !== first.tag) return range
  const isBound = Number(row['commits']) > limits.walk.countedCommits
  return {
    ...range,
    puts: row['puts'] ?? '0',
    deletes: row['deletes'] ?? '0',
    ...(isBound && { isBound }),
  }
}
