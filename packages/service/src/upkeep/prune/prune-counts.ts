import { countedColumns } from '../../catalog/counts.ts'
import type { ObjectType } from '../../catalog/object-type.ts'
import type { SchemaDatabase } from '../../postgres/database.ts'

/** Values that no object has any more. A commit that adds an object to one of them first makes this wait or finds no row. */
export async function pruneCounts(database: SchemaDatabase, type: ObjectType): Promise<void> {
  if (countedColumns(type).length === 0) return
  await database.rows({ text: `delete from ${type.tables.counts} where objects = 0`, values: [] })
}
