import { newTag, type CatalogSources } from '../../catalog/catalog-sources.ts'
import type { ObjectType } from '../../catalog/object-type.ts'
import { readObjectTypes } from '../../catalog/read-object-types.ts'
import type { Transaction } from '../../postgres/database.ts'

/**
 * Reads the object types of an ontology as they are now. The update locks the row of the catalog's version, so that no other
 * transaction changes a type of the ontology until this one has ended; the new version makes every instance read the catalog again.
 */
export async function readTypesForChange(
  transaction: Transaction,
  sources: CatalogSources,
  schema: string,
): Promise<readonly ObjectType[]> {
  await transaction.rows({
    text: `update ${schema}.catalog_version set version = version + 1, tag = $1 returning version`,
    values: [newTag(sources)],
  })
  const { types } = await readObjectTypes(transaction, schema)
  return types
}
