import type { ObjectTypeDefinition } from '@octavo/protocol'
import { layoutColumns } from '../../src/catalog/layout-columns.ts'
import { layoutIndexes } from '../../src/catalog/layout-indexes.ts'
import { objectTypeOf, type ObjectType } from '../../src/catalog/object-type.ts'

/** The type that applying the definition would create, without a database. */
export function unsavedType(definition: ObjectTypeDefinition): ObjectType {
  const columns = layoutColumns(definition)
  const indexes = layoutIndexes(definition, columns).map((index) => ({ ...index, ready: true }))
  const rid = 'ri.ontology.main.object-type.00000000-0000-4000-8000-000000000001'
  return objectTypeOf(
    { schema: 'octavo_example', id: 1, revision: 1, revisionTag: 'tag' },
    { rid, definition, columns, indexes },
  )
}
