// The slow part of a change: filling new columns and building indexes, while readers and writers go on. The tables of an earlier
// release are brought up to date in the same way. It can be interrupted at any time and run again: finished steps are recorded,
// all others are repeated.
import { invariant } from '../../base/errors/invariant.ts'
import type { Database, Transaction } from '../../postgres/database.ts'
import type { Exclusively } from '../../postgres/exclusively.ts'
import { newTag, type CatalogSources } from '../../catalog/catalog-sources.ts'
import { createChanges, keepsChanges } from '../../catalog/changes.ts'
import { hashColumnOf } from '../../catalog/checksums.ts'
import { countedColumns } from '../../catalog/counts.ts'
import type { Column } from '../../catalog/column.ts'
import { fillColumns } from './fill-columns.ts'
import type { IndexDeclaration } from '../../catalog/index-declaration.ts'
import { layoutColumns } from '../../catalog/layout-columns.ts'
import { layoutIndexes } from '../../catalog/layout-indexes.ts'
import { isUnfinished, objectTypeOf, type ObjectType } from '../../catalog/object-type.ts'
import { readObjectType, readObjectTypes } from '../../catalog/read-object-types.ts'
import { lockClocks } from '../commit/compile-commit.ts'
import { countValues } from './count-values.ts'
import { findChecksum, typesWithoutSums } from './sum-hashes.ts'
import { saveObjectType } from './save-object-type.ts'
import {
  addColumns,
  addEpochs,
  beginsWithEpoch,
  createIndex,
  dropIndex,
  epochKey,
  indexNames,
  tableSides,
} from '../../catalog/type-tables.ts'

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
  const inPlace = database.holding(schema)
  const unknown = (await typesWithoutSums(inPlace, finished)).get(finished.id)
  if (unknown?.checksum) await findChecksum(inPlace, finished)
  if (unknown?.counts) await countValues(inPlace, finished)
  return finished
}

async function finishFound(sources: CatalogSources, found: ObjectType): Promise<ObjectType> {
  const { database } = sources
  const { schema } = found
  const isOld = found.epochs === undefined || hashColumnOf(found) === undefined || !keepsChanges(found)
  const type = isOld ? await bringUpToDate(sources, found) : found
  const unfilled = type.columns.filter((column) => !column.filled)
  const unbuilt = type.indexes.filter((index) => !index.ready)
  if (unfilled.length > 0) await fillColumns(database.holding(schema), type, unfilled)
  if (type.epochs !== 'read') {
    const { drop, create } = epochKey(type)
    await database.run(drop)
    await database.run(create)
  }
  for (const index of type.indexes) {
    for (const side of tableSides) {
      const isBuilt = index.ready && (type.epochs === 'read' || !beginsWithEpoch(index, side))
      if (isBuilt) continue
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

/**
 * From now on, commits write the epoch of the rows that they end and the hash of those that they begin, and remember which objects
 * they change: a commit under the revision before is refused.
 */
async function bringUpToDate(sources: CatalogSources, { schema, id }: ObjectType): Promise<ObjectType> {
  return sources.database.transaction(async (transaction) => {
    await transaction.run("set local lock_timeout = '5s'")
    const now = await readForChange(transaction, sources, { schema, id })
    // The clock is locked before the tables, as writers do it.
    await transaction.rows(lockClocks([now]))
    await transaction.run(addEpochs(now))
    for (const statement of createChanges(now)) await transaction.run(statement)
    const { rid, definition, indexes, revision, epochs = 'written' } = now
    const columns = layoutColumns(definition, now)
    const written = objectTypeOf(
      { schema, id, revision: revision + 1, revisionTag: newTag(sources) },
      { rid, definition, columns, indexes, epochs, changes: 'kept' },
    )
    const added = columns.slice(now.columns.length)
    if (added.length > 0) for (const statement of addColumns(written, added)) await transaction.run(statement)
    await saveObjectType(transaction, written)
    return written
  })
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
      // An instance of an earlier release may have changed the type meanwhile: it forgets the epochs, and builds other indexes.
      epochs: now.epochs === undefined ? undefined : 'read',
      changes: now.changes,
    },
  )
  await saveObjectType(transaction, finished)
  return finished
}

async function dropUnneededIndexes(database: Database, type: ObjectType): Promise<void> {
  const needed = new Set(
    type.indexes.flatMap((index) => tableSides.flatMap((side) => indexNames(type, index, side))),
  )
  const rows = await database.rows({
    text: `select indexname from pg_indexes where schemaname = $1 and indexname ~ $2`,
    // Not number 0: that index exists while a process checks the stored objects.
    values: [type.schema, `^t${type.id}_(current|history)_[ei][1-9][0-9]*$`],
  })
  for (const { indexname: name } of rows) {
    if (typeof name === 'string' && !needed.has(name))
      await database.run(`drop index concurrently if exists ${type.schema}.${name}`)
  }
}
