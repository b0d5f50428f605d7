import type { Reader } from '../postgres/database.ts'
import { objectTypeOf, type ObjectType, type StoredObjectType } from './object-type.ts'

export interface ReadTypes {
  /** A number and its tag: different after every change of a type of the ontology. */
  readonly version: string
  /** Sorted by name. */
  readonly types: readonly ObjectType[]
}

const version = `concat(v.version, ' ', v.tag) as version`

export async function readCatalogVersion(reader: Reader, schema: string): Promise<string> {
  const rows = await reader.rows({ text: `select ${version} from ${schema}.catalog_version v`, values: [] })
  return rows[0]?.['version'] ?? ''
}

/** Reads all object types of an ontology, and the version that they belong to, in one statement. */
export async function readObjectTypes(reader: Reader, schema: string): Promise<ReadTypes> {
  const rows = await reader.rows({
    text: `select ${version}, t.id, t.revision, t.revision_tag, t.stored
from ${schema}.catalog_version v left join ${schema}.object_types t on true order by t.api_name`,
    values: [],
  })
  return {
    version: rows[0]?.['version'] ?? '',
    types: rows
      .filter((row) => row['id'] != null)
      .map((row) =>
        objectTypeOf(
          {
            schema,
            id: Number(row['id']),
            revision: Number(row['revision']),
            revisionTag: row['revision_tag'] ?? '',
          },
          JSON.parse(row['stored'] ?? '') as StoredObjectType,
        ),
      ),
  }
}

/** The type as the database has it now. */
export const readObjectType = async (
  reader: Reader,
  schema: string,
  apiName: string,
): Promise<ObjectType | undefined> =>
  (await readObjectTypes(reader, schema)).types.find((type) => type.apiName === apiName)
