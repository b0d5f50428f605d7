import type { ObjectType, Store } from '../../packages/service/test/inside.ts'

/** The newest version of the type, with its tag, as a walk captures it. */
export async function newestVersion({ database }: Store, { id, tables }: ObjectType) {
  const [row] = await database.rows({
    text: `select version, tag from ${tables.commits} where object_type = $1 order by version desc limit 1`,
    values: [id],
  })
  return { version: row?.['version'] ?? '', tag: row?.['tag'] ?? '' }
}
