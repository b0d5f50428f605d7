import type { Reader } from '../postgres/database.ts'
import { objectTypeOf, type ObjectType, type StoredObjectType } from './object-type.ts'

/** All object types of an ontology, by name. */
export async function readObjectTypes(reader: Reader, schema: string): Promise<readonly ObjectType[]> {
  const rows = await reader.rows({
    text: `select id, revision, stored from ${schema}.object_types order by api_name`,
    values: [],
  })
  return rows.map((row) =>
    objectTypeOf(
      { schema, id: Number(row['id']), revision: Number(row['revision']) },
      JSON.parse(row['stored'] ?? '') as StoredObjectType,
    ),
  )
}
