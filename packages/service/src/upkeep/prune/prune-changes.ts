import type { ObjectType } from '../../catalog/object-type.ts'
import type { SchemaDatabase } from '../../postgres/database.ts'

const rowsAtOnce = 2_000

/**
 * Changes are kept for as long as the commits that made them: a difference begins with a commit that is still known, and needs
 * only the changes after it.
 */
export async function pruneChanges(database: SchemaDatabase, type: ObjectType): Promise<number> {
  const { changes, commits } = type.tables
  let deleted = 0
  for (;;) {
    const rows = await database.rows({
      text: `with expired as (
  select version, pk from ${changes}
  where version <= (select min(version) from ${commits} where object_type = $1::integer)
  order by version, pk limit ${rowsAtOnce} for update skip locked
), gone as (
  delete from ${changes} c using expired e where c.version = e.version and c.pk = e.pk returning 1
)
select count(*) as deleted from gone`,
      values: [type.id],
    })
    const some = Number(rows[0]?.['deleted'])
    deleted += some
    if (some < rowsAtOnce) return deleted
  }
}
