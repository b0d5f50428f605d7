import { lockClocks } from '../../write/commit/commit-statements.ts'
import type { ObjectType } from '../../catalog/object-type.ts'
import type { SchemaDatabase } from '../../postgres/database.ts'
import { secondsAgo } from './seconds-ago.ts'

/**
 * A version can be captured until the next commit, and is kept for the retention from then on: so the floor is the newest
 * version that was committed before the retention began. From this statement on, pages below it are refused. The floor rises at
 * most once in `settleSeconds`, so that even with many instances there is a time at which it has settled.
 */
export async function raiseFloor(
  database: SchemaDatabase,
  type: ObjectType,
  { retentionSeconds, settleSeconds }: { readonly retentionSeconds: number; readonly settleSeconds: number },
): Promise<void> {
  const { clock, commits } = type.tables
  const expired = `select clock.object_type, expired.version, expired.epoch
  from ${clock} clock cross join lateral (
    select version, epoch from ${commits}
    where object_type = clock.object_type and version > clock.floor and committed_at <= ${secondsAgo('$2')}
    order by version desc limit 1
  ) as expired
  where clock.object_type = $1::integer and clock.floor_raised_at <= ${secondsAgo('$3')}`
  const values = [type.id, retentionSeconds, settleSeconds]
  if ((await database.rows({ text: expired, values })).length === 0) return
  // This may have to wait for a commit, so the time is taken once the row is locked.
  await database.pipeline([
    lockClocks([type]),
    {
      text: `with expired as materialized (${expired}
), raised as materialized (
  select expired.*, clock_timestamp() at time zone 'UTC' as at from expired
)
update ${clock} as clock set floor = raised.version, floor_raised_at = raised.at, floor_epoch = raised.epoch
from raised where clock.object_type = $1::integer and clock.object_type = raised.object_type`,
      values,
    },
  ])
}
