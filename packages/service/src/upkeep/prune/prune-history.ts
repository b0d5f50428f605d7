import type { ObjectType } from '../../catalog/object-type.ts'
import { rowKey } from '../../catalog/type-tables.ts'
import type { SchemaDatabase } from '../../postgres/database.ts'
import { secondsAgo } from './seconds-ago.ts'

const rowsAtOnce = 2_000

/**
 * Deletes rows that ended at or below the floor, in portions. Any number of instances may do it at once: rows that another one
 * is deleting are skipped. If the floor was raised less than `settleSeconds` ago, nothing is deleted until the next run, so that
 * every statement that began before the floor was raised has ended, including those on other servers than the one we wrote to.
 */
export async function pruneHistory(
  database: SchemaDatabase,
  type: ObjectType,
  { settleSeconds }: { readonly settleSeconds: number },
): Promise<number> {
  const key = rowKey('history')
  let deleted = 0
  for (;;) {
    const rows = await database.rows({
      text: `with expired as (
  select ${key.map((name) => `h.${name}`).join(', ')} from ${type.tables.history} h, ${type.tables.clock} k
  where k.object_type = $1::integer and k.floor_raised_at <= ${secondsAgo('$2')} and h.version_to <= k.floor
  order by h.version_to limit ${rowsAtOnce} for update of h skip locked
), gone as (
  delete from ${type.tables.history} h using expired e
  where ${key.map((name) => `h.${name} = e.${name}`).join(' and ')} returning 1
)
select count(*) as deleted from gone`,
      values: [type.id, settleSeconds],
    })
    const some = Number(rows[0]?.['deleted'])
    deleted += some
    if (some < rowsAtOnce) return deleted
  }
}
