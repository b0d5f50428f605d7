// The part of a change that takes time: filling new columns and building indexes, while readers and writers go on.
// It can stop at any moment and be run again: what is done is recorded, what is not is done again.
import type { Database } from '../postgres/database.ts'
import { fillColumns } from './fill-columns.ts'
import { objectTypeOf, type ObjectType } from './object-type.ts'
import { saveObjectType } from './save-object-type.ts'
import { createIndex, dropIndex, indexName, tableSides } from './type-tables.ts'

export async function finishObjectType(database: Database, type: ObjectType): Promise<ObjectType> {
  const unfilled = type.columns.filter((column) => !column.filled)
  const unbuilt = type.indexes.filter((index) => !index.ready)
  await dropUnneededIndexes(database, type)
  if (unfilled.length === 0 && unbuilt.length === 0) return type

  if (unfilled.length > 0) await fillColumns(database, type, unfilled)
  for (const index of unbuilt) {
    for (const side of tableSides) {
      // An interrupted build leaves an invalid index behind.
      await database.run(dropIndex(type, index, side))
      await database.run(createIndex(type, index, side, { concurrently: true }))
    }
  }
  const finished = objectTypeOf(
    { schema: type.schema, id: type.id, revision: type.revision + 1 },
    {
      rid: type.rid,
      definition: type.definition,
      columns: type.columns.map((column) => ({ ...column, filled: true })),
      indexes: type.indexes.map((index) => ({ ...index, ready: true })),
    },
  )
  await database.transaction((transaction) => saveObjectType(transaction, finished))
  return finished
}

async function dropUnneededIndexes(database: Database, type: ObjectType): Promise<void> {
  const needed = new Set(type.indexes.flatMap((index) => tableSides.map((side) => indexName(type, index, side))))
  const rows = await database.rows({
    text: `select indexname from pg_indexes where schemaname = $1 and indexname ~ $2`,
    values: [type.schema, `^t${type.id}_(current|history)_i[0-9]+$`],
  })
  for (const { indexname: name } of rows) {
    if (name != null && !needed.has(name)) await database.run(`drop index concurrently if exists ${type.schema}.${name}`)
  }
}
