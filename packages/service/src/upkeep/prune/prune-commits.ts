import type { ObjectType } from '../../catalog/object-type.ts'
import type { SchemaDatabase } from '../../postgres/database.ts'
import { secondsAgo } from './seconds-ago.ts'

const rowsAtOnce = 2_000

/**
 * Commits outlive the snapshots that they make: they hold the receipts of idempotency keys, and clients that follow the changes
 * of a type ask for the commits since a version. Commits that can still be read (from the floor on) are never deleted.
 */
export async function pruneCommits(
  database: SchemaDatabase,
  type: ObjectType,
  keptSeconds: number,
): Promise<number> {
  let deleted = 0
  for (;;) {
    const rows = await database.rows({
      text: `with expired as (
  select version from ${type.tables.commits}
  where object_type = $1::integer and committed_at <= ${secondsAgo('$2')}
    and version < (select floor from ${type.tables.clock} where object_type = $1::integer)
  order by version limit ${rowsAtOnce} for update skip locked
), gone as (
  delete from ${type.tables.commits} m using expired e
  where m.object_type = $1::integer and m.version = e.version returning 1
)
select count(*) as deleted from gone`,
      values: [type.id, keptSeconds],
    })
    const some = Number(rows[0]?.['deleted'])
    deleted += some
    if (some < rowsAtOnce) return deleted
  }
}
