import type { ObjectType } from '../../src/catalog/object-type.ts'
import type { TestStore } from './open-test-store.ts'
import type { Captured } from '../../src/read/token/walk.ts'

/** A version as captured by a walk. For a version without a commit, no tag is right. */
export async function snapshotAt(
  { database }: Pick<TestStore, 'database'>,
  type: ObjectType,
  version: string,
): Promise<Captured> {
  const [commit] = await database.rows({
    text: `select tag from ${type.tables.commits} where object_type = $1::integer and version = $2::bigint`,
    values: [type.id, version],
  })
  return { kind: 'snapshot', version, tag: commit?.['tag'] ?? 'none' }
}
