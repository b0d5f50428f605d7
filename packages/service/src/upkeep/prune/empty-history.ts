import { lockClocks } from '../../write/commit/commit-statements.ts'
import type { ObjectType } from '../../catalog/object-type.ts'
import type { Reader, SchemaDatabase } from '../../postgres/database.ts'
import { hasState } from '../../postgres/sqlstate.ts'
import { secondsAgo } from './seconds-ago.ts'

/** Fewer rows than this are deleted one by one, which locks no table. */
const fewestRows = 10_000

interface Settling {
  readonly settleSeconds: number
}

/**
 * Where all of history has expired, as an hour after the contents of a type were replaced, it is emptied at once, however much it
 * is: nothing is left for VACUUM. Returns the number of rows, as PostgreSQL counts them.
 *
 * The table is locked for a moment. A statement that waits for it may not see the rows any more, which only a version below the
 * floor could have shown. A page or a commit that takes long is not waited for: then the rows are deleted one by one.
 */
export async function emptyHistory(
  database: SchemaDatabase,
  type: ObjectType,
  settling: Settling,
): Promise<number> {
  if (!(await hasExpired(database, type, settling))) return 0
  try {
    return await database.transaction(async (transaction) => {
      await transaction.run("set local lock_timeout = '200ms'")
      // No commit can end a row from now on.
      await transaction.rows(lockClocks([type]))
      if (!(await hasExpired(transaction, type, settling))) return 0
      const [counted] = await transaction.rows({
        text: 'select pg_stat_get_live_tuples($1::regclass) as rows',
        values: [type.tables.history],
      })
      await transaction.run(`truncate ${type.tables.history}`)
      return Math.max(Number(counted?.['rows']), fewestRows)
    })
  } catch (error) {
    if (hasState(error, 'lockNotAvailable')) return 0
    throw error
  }
}

/** Whether there are many rows, and no version that can be read needs any of them. */
async function hasExpired(
  reader: Reader,
  { id, tables }: ObjectType,
  { settleSeconds }: Settling,
): Promise<boolean> {
  const [row] = await reader.rows({
    text: `select (select count(*) from (select 1 from ${tables.history} order by version_to limit ${fewestRows}) as counted) as rows
from ${tables.clock} k
where k.object_type = $1::integer and k.floor_raised_at <= ${secondsAgo('$2')}
  and not exists (select from ${tables.history} h where h.version_to > k.floor)`,
    values: [id, settleSeconds],
  })
  return Number(row?.['rows'] ?? 0) >= fewestRows
}
