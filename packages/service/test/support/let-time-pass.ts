import type { ObjectType } from '../../src/catalog/object-type.ts'
import type { TestStore } from './open-test-store.ts'

/**
 * The database keeps the time, and a test cannot set its clock. So this makes the stored times older instead, all by the
 * same amount: compared with the clock, that much time has passed.
 */
export async function letTimePass(
  { database }: Pick<TestStore, 'database'>,
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
