// The part of a change that takes time: filling new columns and building indexes, while readers and writers go on.
// It can stop at any moment and be run again: what is done is recorded, what is not is done again.
import { invariant } from '../errors/invariant.ts'
import type { Database, Transaction } from '../postgres/database.ts'
import type { Column } from './column.ts'
import { fillColumns } from './fill-columns.ts'
import type { IndexDeclaration } from './index-declaration.ts'
import { objectTypeOf, type ObjectType } from './object-type.ts'
import { readObjectTypes } from './read-object-types.ts'
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
  return database.transaction((transaction) => saveAsFinished(transaction, { type, unfilled, unbuilt }))
}

interface Finished {
  readonly type: ObjectType
  readonly unfilled: readonly Column[]
  readonly unbuilt: readonly IndexDeclaration[]
}

/** The type may have been changed again in the meantime: only what was done here is recorded, on what it is now. */
async function saveAsFinished(
  transaction: Transaction,
  { type, unfilled, unbuilt }: Finished,
): Promise<ObjectType> {
  const { schema, id } = type
  await transaction.rows({
    text: `update ${schema}.catalog_version set version = version + 1 returning version`,
    values: [],
  })
  const types = await readObjectTypes(transaction, schema)
  const now = types.find((candidate) => candidate.id === id)
  invariant(now !== undefined, 'finished-type-is-gone')
  const isFilled = ({ name }: Column) => unfilled.some((column) => column.name === name)
  const isBuilt = ({ number }: IndexDeclaration) => unbuilt.some((index) => index.number === number)
  const finished = objectTypeOf(
    { schema, id, revision: now.revision + 1 },
    {
      rid: now.rid,
      definition: now.definition,
      columns: now.columns.map((column) => (isFilled(column) ? { ...column, filled: true } : column)),
      indexes: now.indexes.map((index) => (isBuilt(index) ? { ...index, ready: true } : index)),
    },
  )
  await saveObjectType(transaction, finished)
  return finished
}

async function dropUnneededIndexes(database: Database, type: ObjectType): Promise<void> {
  const needed = new Set(
    type.indexes.flatMap((index) => tableSides.map((side) => indexName(type, index, side))),
  )
  const rows = await database.rows({
    text: `select indexname from pg_indexes where schemaname = $1 and indexname ~ $2`,
    values: [type.schema, `^t${type.id}_(current|history)_i[0-9]+$`],
  })
  for (const { indexname: name } of rows) {
    if (typeof name === 'string' && !needed.has(name))
      await database.run(`drop index concurrently if exists ${type.schema}.${name}`)
  }
}
