import type { ObjectType } from '../../src/catalog/object-type.ts'
import type { Store } from '../../src/open-store.ts'

/**
 * Time is the database's, and a test cannot set its clock. So what it has written becomes older instead, all of it alike: to
 * everybody who compares it with the clock, so much time has passed.
 */
export async function letTimePass(
  { database }: Pick<Store, 'database'>,
  { id, tables }: ObjectType,
  seconds: number,
): Promise<void> {
  await database.pipeline([
    {
      text: `update ${tables.commits} set committed_at = committed_at - make_interval(secs => $2) where object_type = $1`,
      values: [id, seconds],
    },
    {
      text: `update ${tables.clock} set floor_raised_at = floor_raised_at - make_interval(secs => $2) where object_type = $1`,
      values: [id, seconds],
    },
  ])
}
