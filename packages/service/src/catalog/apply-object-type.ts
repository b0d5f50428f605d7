// Makes an object type, or evolves it while it is being read and written.
import { columnTime } from '../value/column-time.ts'
import type { ObjectTypeDefinition } from '@octavo/protocol'
import { invariant } from '../errors/invariant.ts'
import type { Transaction } from '../postgres/database.ts'
import type { CatalogSources } from './apply-ontology.ts'
import { checkObjectType } from './check-object-type.ts'
import { finishObjectType } from './finish-object-type.ts'
import { layoutColumns } from './layout-columns.ts'
import { layoutIndexes } from './layout-indexes.ts'
import { objectTypeOf, type ObjectType, type StoredObjectType } from './object-type.ts'
import type { Ontology } from './ontology.ts'
import { readObjectTypes } from './read-object-types.ts'
import { saveObjectType } from './save-object-type.ts'
import { addColumns, createTypeTables } from './type-tables.ts'

/** Applying the same definition again changes nothing, and finishes what an interrupted run left undone. */
export async function applyObjectType(
  sources: CatalogSources,
  ontology: Ontology,
  definition: ObjectTypeDefinition,
): Promise<ObjectType> {
  const type = await sources.database.transaction(async (transaction) => {
    // Changes of one ontology's types queue here. A change waits for readers only this long, so that it cannot
    // make the readers behind it wait as well.
    await transaction.run("set local lock_timeout = '5s'")
    await transaction.rows({
      text: `update ${ontology.schema}.catalog_version set version = version + 1 returning version`,
      values: [],
    })
    const types = await readObjectTypes(transaction, ontology.schema)
    const before = types.find((candidate) => candidate.apiName === definition.apiName)
    const { outcome } = checkObjectType(before, definition)
    if (before === undefined) return createType(transaction, sources, { ontology, definition, types })
    return outcome === 'unchanged' ? before : evolveType(transaction, before, definition)
  })
  return finishObjectType(sources.database, type)
}

interface NewType {
  readonly ontology: Ontology
  readonly definition: ObjectTypeDefinition
  readonly types: readonly ObjectType[]
}

async function createType(
  transaction: Transaction,
  { now, randomHex, randomUuid }: CatalogSources,
  { ontology, definition, types }: NewType,
): Promise<ObjectType> {
  const columns = layoutColumns(definition)
  const stored: StoredObjectType = {
    rid: `ri.ontology.main.object-type.${randomUuid()}`,
    definition,
    columns,
    // The tables are empty, so their indexes are made with them.
    indexes: layoutIndexes(definition, columns).map((index) => ({ ...index, ready: true })),
  }
  const id = types.reduce((most, type) => Math.max(most, type.id), 0) + 1
  const type = objectTypeOf({ schema: ontology.schema, id, revision: 1 }, stored)
  await saveObjectType(transaction, type)
  for (const statement of createTypeTables(type)) await transaction.run(statement)
  const createdAt = columnTime(now())
  await transaction.rows({
    text: `insert into ${type.tables.clock} (object_type, version, live, floor, floor_raised_at, revision, largest)
values ($1, 0, 0, 0, $2::timestamp, $3, 0)`,
    values: [id, createdAt, type.revision],
  })
  // Version 0, the empty type, has a tag like every other version: a snapshot of it is a snapshot.
  await transaction.rows({
    text: `insert into ${type.tables.commits} (object_type, version, committed_at, tag, live, put, deleted, unchanged)
values ($1, 0, $2::timestamp, $3, 0, 0, 0, 0)`,
    values: [id, createdAt, randomHex(16)],
  })
  return type
}

async function evolveType(
  transaction: Transaction,
  before: ObjectType,
  definition: ObjectTypeDefinition,
): Promise<ObjectType> {
  const columns = layoutColumns(definition, before)
  const indexes = layoutIndexes(definition, columns, before.indexes)
  const { schema, id, rid } = before
  const after = objectTypeOf(
    { schema, id, revision: before.revision + 1 },
    { rid, definition, columns, indexes },
  )
  const added = columns.slice(before.columns.length)
  invariant(
    before.columns.every((column, i) => column.name === columns[i]?.name),
    'column-renamed',
  )
  // Before the tables, in the order of the writers: each would hold what the other waits for.
  await transaction.rows({
    text: `select 1 from ${before.tables.clock} where object_type = $1 for update`,
    values: [id],
  })
  if (added.length > 0) for (const statement of addColumns(after, added)) await transaction.run(statement)
  await saveObjectType(transaction, after)
  return after
}
