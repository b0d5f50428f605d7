// The slow steps of a change, during which readers and writers continue: filling new columns, building indexes, counting values. They
// can be interrupted at any time and run again: finished steps are recorded, all others are repeated.
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
import { readObjectType } from '../../catalog/read-object-types.ts'
import { countValues, typesWithoutCounts } from './count-values.ts'
import { readTypesForChange } from './read-types-for-change.ts'
import { saveObjectType } from './save-object-type.ts'
import { createIndex, dropIndex, indexNames, tableSides } from '../../catalog/type-tables.ts'

export interface PreparingSources extends CatalogSources {
  readonly exclusively: Exclusively
}

/** The name of a lock: one process at a time checks stored objects, fills, builds and counts for a type. */
export const preparationLock = ({ schema, id }: ObjectType): string => `octavo ${schema}.t${id}`

/** Waits while another process has the lock. */
export async function finishObjectType(sources: PreparingSources, type: ObjectType): Promise<ObjectType> {
  // First, so that objects that were too long for such an index can be written as soon as possible.
  await dropUnneededIndexes(sources.database, type)
  // The type does not say whether its values have been counted; the clock row does, which is read under the lock.
  if (!isUnfinished(type) && countedColumns(type).length === 0) return type
  return sources.exclusively(preparationLock(type), () => finishUnderLock(sources, type))
}

/** Finishes what an interrupted run left undone, unless another process has the lock. */
export async function finishAbandoned(sources: PreparingSources, type: ObjectType): Promise<void> {
  await sources.exclusively.ifFree(preparationLock(type), () => finishUnderLock(sources, type))
}

async function finishUnderLock(
  sources: CatalogSources,
  { schema, apiName }: ObjectType,
): Promise<ObjectType> {
  const { database } = sources
  // Another process may have finished or changed it before this one got the lock.
  const found = await readObjectType(database, schema, apiName)
  invariant(found !== undefined, 'unfinished-type-is-gone')
  const finished = isUnfinished(found) ? await fillAndBuild(sources, found) : found
  const uncounted = await typesWithoutCounts(sources, finished)
  if (uncounted.has(finished.id)) await countValues(database.holding(schema), finished)
  return finished
}

async function fillAndBuild(sources: CatalogSources, type: ObjectType): Promise<ObjectType> {
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

interface Finished {
  readonly type: ObjectType
  readonly unfilled: readonly Column[]
  readonly unbuilt: readonly IndexDeclaration[]
}

/** The definition may have changed in the meantime: only the steps done here are recorded, on the type as it is now. */
async function saveAsFinished(
  transaction: Transaction,
  sources: CatalogSources,
  { type, unfilled, unbuilt }: Finished,
): Promise<ObjectType> {
  const { schema, id } = type
  const types = await readTypesForChange(transaction, sources, schema)
  const now = types.find((candidate) => candidate.id === id)
  invariant(now !== undefined, 'finished-type-is-gone')
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
