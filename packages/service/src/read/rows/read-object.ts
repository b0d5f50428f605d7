import type { ObjectType } from '../../catalog/object-type.ts'
import { StaleDefinition } from '../../catalog/stale-definition.ts'
import type { Filter } from '../../catalog/filter/filter.ts'
import type { SchemaDatabase } from '../../postgres/database.ts'
import { compileObjectQuery } from '../sql/compile-object-query.ts'
import { recordEnd, recordSeparator } from '../sql/record-text.ts'

export interface WantedObject {
  readonly key: string
  /** Matches the objects of the type that the caller may read. */
  readonly visible: Filter
}

/** The record as it is sent, or nothing when no visible object has this key. */
export async function readObject(
  database: SchemaDatabase,
  type: ObjectType,
  { key, visible, signal }: WantedObject & { readonly signal: AbortSignal | undefined },
): Promise<Buffer | undefined> {
  const [revision, head, value] = (await database.bytes(compileObjectQuery(type, key, visible), signal)) ?? []
  if (revision?.toString() !== `${type.revision} ${type.revisionTag}`) throw new StaleDefinition(type)
  if (head == null || value == null) return undefined
  return Buffer.concat([head.subarray(recordSeparator.length), value, Buffer.from(recordEnd)])
}
