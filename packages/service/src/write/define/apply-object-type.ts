// Creates an object type, or evolves it while it is being read and written.
import type { ObjectTypeDefinition } from '@octavo/protocol'
import { recordDefinition } from '../../audit/record-change.ts'
import type { Transaction } from '../../postgres/database.ts'
import { asksMoreOfObjects } from './asks-more-of-objects.ts'
import { newTag, type CatalogSources } from '../../catalog/catalog-sources.ts'
import { checkLinks } from './check-links.ts'
import { checkObjectType } from './check-object-type.ts'
import { withStoredObjectsChecked, type CheckNewer } from './check-stored-objects.ts'
import { evolvedType } from './evolved-type.ts'
import { finishObjectType, preparationOf, type PreparingSources } from './finish-object-type.ts'
import type { Column } from '../../catalog/column.ts'
import { countedColumns, createCounts } from '../../catalog/counts.ts'
import { layoutColumns } from '../../catalog/layout-columns.ts'
import { layoutIndexes } from '../../catalog/layout-indexes.ts'
import { objectTypeOf, type ObjectType, type StoredObjectType } from '../../catalog/object-type.ts'
import type { Ontology } from '../../catalog/ontology.ts'
import { readObjectType, readObjectTypes } from '../../catalog/read-object-types.ts'
import { saveObjectType } from './save-object-type.ts'
import { addColumns, createTypeTables } from '../../catalog/type-tables.ts'

export interface ApplyingObjectType {
  readonly definition: ObjectTypeDefinition
  readonly by?: string | undefined
  readonly requires?: ((before: ObjectType | undefined) => void) | undefined
}

/** Applying the same definition again changes nothing, and finishes what an interrupted run left undone. */
export async function applyObjectType(
  sources: PreparingSources,
  ontology: Ontology,
  { definition, by, requires }: ApplyingObjectType,
): Promise<ObjectType> {
  for (;;) {
    const before = await readObjectType(sources.database, ontology.schema, definition.apiName)
    // It is saved only if it is still the same then.
    requires?.(before)
    const saved = await saveChecked(sources, { ontology, definition, by, before })
    // Otherwise another process has changed the type since: what was checked is not what would be saved, so it starts again.
    if (saved !== undefined) return finishObjectType(sources, saved)
  }
}

interface Applied {
  readonly ontology: Ontology
  readonly definition: ObjectTypeDefinition
  readonly by: string | undefined
  readonly before: ObjectType | undefined
}

async function saveChecked(sources: PreparingSources, applied: Applied): Promise<ObjectType | undefined> {
  const { definition, before } = applied
  const { outcome } = checkObjectType(before, definition)
  if (before === undefined || outcome === 'unchanged') return save(sources, applied)
  const after = evolvedType(before, definition, before.revisionTag)
  if (!asksMoreOfObjects(before, after)) return save(sources, applied)
  return sources.exclusively(preparationOf(before), () =>
    withStoredObjectsChecked(sources.database, after, (checkNewer) => save(sources, applied, checkNewer)),
  )
}

/** Returns undefined if the type has changed since it was checked. */
async function save(
  sources: PreparingSources,
  { ontology, definition, by, before }: Applied,
  checkNewer: CheckNewer = async () => {},
): Promise<ObjectType | undefined> {
  return sources.database.transaction(async (transaction) => {
    // Changes of one ontology's types queue here. A change waits for readers no longer than this, so that it does not block the
    // readers queued behind it.
    await transaction.run("set local lock_timeout = '5s'")
    await transaction.rows({
      text: `update ${ontology.schema}.catalog_version set version = version + 1, tag = $1 returning version`,
      values: [newTag(sources)],
    })
    const { types } = await readObjectTypes(transaction, ontology.schema)
    const now = types.find((candidate) => candidate.apiName === definition.apiName)
    if (now?.revision !== before?.revision || now?.revisionTag !== before?.revisionTag) return undefined
    const { outcome } = checkObjectType(now, definition)
    if (now !== undefined && outcome === 'unchanged') return now
    checkLinks(
      definition,
      types.map((type) => type.definition),
    )
    const after =
      now === undefined
        ? await createType(transaction, sources, { ontology, definition, types })
        : await evolveType(transaction, sources, { before: now, definition, checkNewer })
    if (by !== undefined) {
      await recordDefinition(transaction, ontology.schema, {
        id: sources.randomHex(16),
        subject: by,
        objectType: after.apiName,
        revision: after.revision,
      })
    }
    return after
  })
}

interface NewType {
  readonly ontology: Ontology
  readonly definition: ObjectTypeDefinition
  readonly types: readonly ObjectType[]
}

async function createType(
  transaction: Transaction,
  sources: CatalogSources,
  { ontology, definition, types }: NewType,
): Promise<ObjectType> {
  const columns = layoutColumns(definition)
  const stored: StoredObjectType = {
    rid: `ri.ontology.main.object-type.${sources.randomUuid()}`,
    definition,
    columns,
    // The tables are empty, so their indexes are created with them.
    indexes: layoutIndexes(definition, columns).map((index) => ({ ...index, ready: true })),
  }
  const id = types.reduce((most, type) => Math.max(most, type.id), 0) + 1
  const type = objectTypeOf(
    { schema: ontology.schema, id, revision: 1, revisionTag: newTag(sources) },
    stored,
  )
  await saveObjectType(transaction, type)
  for (const statement of createTypeTables(type)) await transaction.run(statement)
  await transaction.rows({
    text: `insert into ${type.tables.clock} (object_type, version, live, floor, floor_raised_at, revision, revision_tag, largest, epoch, epoch_rows, floor_epoch, checksum, changes_from, counts_from)
values ($1, 0, 0, 0, now() at time zone 'UTC', $2, $3, 0, 1, 0, 1, 0, 0, 0)`,
    values: [id, type.revision, type.revisionTag],
  })
  // Version 0, the empty type, has a tag like every other version, so that it can be read as a snapshot.
  await transaction.rows({
    text: `insert into ${type.tables.commits} (object_type, version, committed_at, tag, live, created, updated, deleted, unchanged, epoch, checksum)
values ($1, 0, now() at time zone 'UTC', $2, 0, 0, 0, 0, 0, 1, 0)`,
    values: [id, newTag(sources)],
  })
  return type
}

interface Evolution {
  readonly before: ObjectType
  readonly definition: ObjectTypeDefinition
  readonly checkNewer: CheckNewer
}

async function evolveType(
  transaction: Transaction,
  sources: CatalogSources,
  { before, definition, checkNewer }: Evolution,
): Promise<ObjectType> {
  const after = evolvedType(before, definition, newTag(sources))
  const added = after.columns.slice(before.columns.length)
  // The clock is locked before the tables, as writers do it: in any other order the two could deadlock.
  await transaction.rows({
    text: `select 1 from ${before.tables.clock} where object_type = $1 for update`,
    values: [before.id],
  })
  await checkNewer(transaction)
  if (added.length > 0) for (const statement of addColumns(after, added)) await transaction.run(statement)
  if (namesOf(countedColumns(before)) !== namesOf(countedColumns(after))) {
    for (const statement of createCounts(after)) await transaction.run(statement)
    // The values of the objects that are there have yet to be counted (count-values.ts).
    await transaction.rows({
      text: `update ${before.tables.clock} set counts_from = null where object_type = $1`,
      values: [before.id],
    })
  }
  await saveObjectType(transaction, after)
  return after
}

const namesOf = (columns: readonly Column[]): string => columns.map(({ name }) => name).join()
