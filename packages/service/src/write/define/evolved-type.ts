import type { ObjectTypeDefinition } from '@octavo/protocol'
import { invariant } from '../../base/errors/invariant.ts'
import { layoutColumns } from '../../catalog/layout-columns.ts'
import { layoutIndexes } from '../../catalog/layout-indexes.ts'
import { objectTypeOf, type ObjectType } from '../../catalog/object-type.ts'

/**
 * The type as the definition will make it, including the columns still to be filled and the indexes still to be built. Where it is only
 * compared with stored objects and never saved, its tag does not matter.
 */
export function evolvedType(
  before: ObjectType,
  definition: ObjectTypeDefinition,
  revisionTag: string,
): ObjectType {
  const { schema, id, rid, revision } = before
  const columns = layoutColumns(definition, before)
  // Columns are only added, and at the end: `evolveType` creates those that follow the existing ones.
  invariant(
    before.columns.every((column, i) => column.name === columns[i]?.name),
    'column-renamed',
  )
  const indexes = layoutIndexes(definition, columns, before.indexes)
  return objectTypeOf(
    { schema, id, revision: revision + 1, revisionTag },
    { rid, definition, columns, indexes },
  )
}
