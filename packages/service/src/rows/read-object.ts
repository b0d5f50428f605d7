import type { ObjectType } from '../catalog/object-type.ts'
import { StaleDefinition } from '../catalog/stale-definition.ts'
import type { Database } from '../postgres/database.ts'
import { compileObjectQuery } from '../sql/compile-object-query.ts'
import { recordEnd, recordSeparator } from '../sql/record-text.ts'

/** The record as it is sent, or nothing when there is no such object. */
export async function readObject(
  database: Database,
  type: ObjectType,
  key: string,
): Promise<Buffer | undefined> {
  const [revision, head, value] = (await database.bytes(compileObjectQuery(type, key))) ?? []
  if (Number(revision?.toString()) !== type.revision) throw new StaleDefinition(type)
  if (head == null || value == null) return undefined
  return Buffer.concat([head.subarray(recordSeparator.length), value, Buffer.from(recordEnd)])
}
