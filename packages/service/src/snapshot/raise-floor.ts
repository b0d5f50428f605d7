import { columnTimeBefore } from '../value/column-time.ts'
import type { ObjectType } from '../catalog/object-type.ts'
import type { Database } from '../postgres/database.ts'

/**
 * A version can be captured until the next commit, and is kept for the retention from then on: so the floor is the
 * newest version that was committed before the retention began. From this statement on, pages below it are refused.
 * It rises at most once in `settleSeconds`, so that with many instances there is a time at which it has settled.
 */
export async function raiseFloor(
  database: Database,
  type: ObjectType,
  times: { readonly now: Date; readonly retentionSeconds: number; readonly settleSeconds: number },
): Promise<void> {
  const before = (seconds: number) => columnTimeBefore(times.now, seconds)
  await database.rows({
    text: `update ${type.tables.clock} set floor = expired.version, floor_raised_at = $3::timestamp
from (
  select version from ${type.tables.commits}
  where object_type = $1::integer and committed_at <= $2::timestamp
    and version > (select floor from ${type.tables.clock} where object_type = $1::integer)
  order by version desc limit 1
) as expired
where object_type = $1::integer and floor < expired.version and floor_raised_at <= $4::timestamp`,
    values: [type.id, before(times.retentionSeconds), before(0), before(times.settleSeconds)],
  })
}
