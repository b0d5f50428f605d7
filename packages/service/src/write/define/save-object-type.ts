import type { Transaction } from '../../postgres/database.ts'
import type { ObjectType, StoredObjectType } from '../../catalog/object-type.ts'

/** The clock row holds the revision too: every page and every commit compares it in its own statement. */
export async function saveObjectType(transaction: Transaction, type: ObjectType): Promise<void> {
  const { rid, definition, columns, indexes } = type
  const stored: StoredObjectType = { rid, definition, columns, indexes }
  await transaction.rows({
    text: `insert into ${type.schema}.object_types (id, api_name, revision, revision_tag, stored) values ($1, $2, $3, $4, $5)
on conflict (id) do update set revision = excluded.revision, revision_tag = excluded.revision_tag, stored = excluded.stored`,
    values: [type.id, type.apiName, type.revision, type.revisionTag, JSON.stringify(stored)],
  })
  await transaction.rows({
    text: `update ${type.tables.clock} set revision = $2, revision_tag = $3 where object_type = $1`,
    values: [type.id, type.revision, type.revisionTag],
  })
}
