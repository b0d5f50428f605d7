// The slow part of a change: filling new columns and building indexes, while readers and writers go on. It can be interrupted at any
// time and run again: finished steps are recorded, all others are repeated.
import { invariant } from '../../base/errors/invariant.ts'
import type { Database, Transaction } from '../../postgres/database.ts'
import type { Exclusively } from '../../postgres/exclusively.ts'
import { newTag, type CatalogSources } from '../../catalog/catalog-sources.ts'
import { countedColumns } from '../../catalog/counts.ts'
import type { Column } from '../../catalog/column.ts'
import { fillColumns } from './fill-columns.ts'
import type { IndexDeclaration } from '../../catalog/index-declaration.ts'
import { layoutIndexes } from '../../catalog/layout-indexes.ts'
import { isUnfinished, objectTypeOf, type ObjectType } from '../../catalog/object-type.ts'
import { readObjectType, readObjectTypes } from '../../catalog/read-object-types.ts'
import { countValues, typesWithoutCounts } from './count-values.ts'
import { saveObjectType } from './save-object-type.ts'
import { createIndex, dropIndex, indexNames, tableSides } from '../../catalog/type-tables.ts'

export interface PreparingSources extends CatalogSources {
  readonly exclusively: Exclusively
}

/** The name of a lock: one process at a time checks, fills and builds for a type. */
export const preparationOf = ({ schema, id }: ObjectType): string => `octavo ${schema}.t${id}`

/** Waits while another process is doing it. */
export async function finishObjectType(sources: PreparingSources, type: ObjectType): Promise<ObjectType> {
  // Done first: objects that are too long for an index cannot be written while it exists.
  await dropUnneededIndexes(sources.database, type)
  if (!isUnfinished(type) && countedColumns(type).length === 0) return type
  return sources.exclusively(preparationOf(type), () => finishAlone(sources, type))
}

/** Finishes what an interrupted run left undone, unless another process is doing it. */
export async function finishAbandoned(sources: PreparingSources, type: ObjectType): Promise<void> {
  await sources.exclusively.ifFree(preparationOf(type), () => finishAlone(sources, type))
}

async function finishAlone(sources: CatalogSources, { schema, apiName }: ObjectType): Promise<ObjectType> {
  const { database } = sources
  // Another process may have finished or changed it.
  const found = await readObjectType(database, schema, apiName)
  invariant(found !== undefined, 'unfinished-type-is-gone')
  const finished = isUnfinished(found) ? await finishFound(sources, found) : found
  const uncounted = await typesWithoutCounts(sources, finished)
  if (uncounted.has(finished.id)) await countValues(database.holding(schema), finished)
  return finished
}

async function finishFound(sources: CatalogSources, type: ObjectType): Promise<ObjectType> {
  const { database } = sources
  const unfilled = type.columns.filter((column) => !column.filled)
  const unbuilt = type.indexes.filter((index) => !index.ready)
  if (unfilled.length > 0) await fillColumns(database.holding(type.schema), type, unfilled)
  for (const index of unbuilt) {
    for (const side of tableSides) {
      // An interrupted build leaves an invalid index behind.
      await database.run(dropIndex(type, index, side))
      await database.run(createIndex(type, index, side, { concurrently: true }))
    }
  }
  const finished = await database.transaction((transaction) =>
    saveAsFinished(transaction, sources, { type, unfilled, unbuilt }),
  )
  await dropUnneededIndexes(database, finished)
  return finished
}

/** Reads the type as it is now, and makes other changes of the ontology's types wait. */
async function readForChange(
  transaction: Transaction,
  sources: CatalogSources,
  { schema, id }: Pick<ObjectType, 'schema' | 'id'>,
): Promise<ObjectType> {
  await transaction.rows({
    text: `update ${schema}.catalog_version set version = version + 1, tag = $1 returning version`,
    values: [newTag(sources)],
  })
  const { types } = await readObjectTypes(transaction, schema)
  const now = types.find((candidate) => candidate.id === id)
  invariant(now !== undefined, 'finished-type-is-gone')
  return now
}

interface Finished {
  readonly type: ObjectType
  readonly unfilled: readonly Column[]
  readonly unbuilt: readonly IndexDeclaration[]
}

/** The type may have been changed again in the meantime: only the steps done here are recorded, on the type as it is now. */
async function saveAsFinished(
  transaction: Transaction,
  sources: CatalogSources,
  { type, unfilled, unbuilt }: Finished,
): Promise<ObjectType> {
  const { schema, id } = type
  const now = await readForChange(transaction, sources, type)
  const isFilled = ({ name }: Column) => unfilled.some((column) => column.name === name)
  const isBuilt = ({ number }: IndexDeclaration) => unbuilt.some((index) => index.number === number)
  const columns = now.columns.map((column) => (isFilled(column) ? { ...column, filled: true } : column))
  const indexes = now.indexes.map((index) => (isBuilt(index) ? { ...index, ready: true } : index))
  const finished = objectTypeOf(
    { schema, id, revision: now.revision + 1, revisionTag: newTag(sources) },
    {
      rid: now.rid,
      definition: now.definition,
      columns,
      // Without the indexes that were kept only until others were ready.
      indexes: layoutIndexes(now.definition, columns, indexes),
    },
  )
  await saveObjectType(transaction, finished)
  return finished
}

async function dropUnneededIndexes(database: Database, type: ObjectType): Promise<void> {
  const needed = new Set(indexNames(type))
  const rows = await database.rows({
    text: `select indexname from pg_indexes where schemaname = $1 and indexname ~ $2`,
    // Not number 0: that index exists while a process checks the stored objects.
    values: [type.schema, `^t${type.id}_(current|history)_i[1-9][0-9]*$`],
  })
  for (const { indexname: name } of rows) {
    if (typeof name === 'string' && !needed.has(name))
      await database.run(`drop index concurrently if exists ${type.schema}.${name}`)
  }
}
