// Creates an object type, or evolves it while it is being read and written. The steps of a change, with an example: README.md.
import type { ObjectTypeDefinition } from '@octavo/protocol'
import { recordDefinition } from '../../audit/record-change.ts'
import type { Transaction } from '../../postgres/database.ts'
import { asksMoreOfObjects } from './asks-more-of-objects.ts'
import { newTag, type CatalogSources } from '../../catalog/catalog-sources.ts'
import { checkLinks } from './check-links.ts'
import { checkObjectType, type ExpectedChange } from './check-object-type.ts'
import { withStoredObjectsChecked, type CheckNewer } from './check-stored-objects.ts'
import { evolvedType } from './evolved-type.ts'
import { finishObjectType, preparationLock, type PreparingSources } from './finish-object-type.ts'
import type { Column } from '../../catalog/column.ts'
import { countedColumns, createCounts } from '../../catalog/counts.ts'
import { layoutColumns } from '../../catalog/layout-columns.ts'
import { layoutIndexes } from '../../catalog/layout-indexes.ts'
import { objectTypeOf, type ObjectType, type StoredObjectType } from '../../catalog/object-type.ts'
import type { Ontology } from '../../catalog/ontology.ts'
import { readObjectType } from '../../catalog/read-object-types.ts'
import { readTypesForChange } from './read-types-for-change.ts'
import { saveObjectType } from './save-object-type.ts'
import { addColumns, createTypeTables } from '../../catalog/type-tables.ts'

export interface ApplyingObjectType {
  readonly definition: ObjectTypeDefinition
  /** The subject that the audit names; without one, no audit row is written. */
  readonly by?: string | undefined
  /** Throws if the caller does not want this type to be changed: it has a precondition, such as `If-Match`. */
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
    requires?.(before)
    const { outcome } = checkObjectType(before, definition)
    const saved = await checkAndSave(sources, { ontology, definition, by, before, outcome })
    if (saved !== undefined) return finishObjectType(sources, saved)
    // Another process has changed the type since it was read, so what was required and checked may no longer hold.
  }
}

interface CheckedChange {
  readonly ontology: Ontology
  readonly definition: ObjectTypeDefinition
  readonly by: string | undefined
  readonly before: ObjectType | undefined
  readonly outcome: ExpectedChange['outcome']
}

/** Checks the stored objects if the change asks more of them. Returns undefined if the type is no longer `before`. */
async function checkAndSave(
  sources: PreparingSources,
  change: CheckedChange,
): Promise<ObjectType | undefined> {
  const { definition, before, outcome } = change
  if (before === undefined || outcome === 'unchanged') return save(sources, change)
  const after = evolvedType(before, definition, before.revisionTag)
  if (!asksMoreOfObjects(before, after)) return save(sources, change)
  return sources.exclusively(preparationLock(before), () =>
    withStoredObjectsChecked(sources.database, after, (checkNewer) => save(sources, change, checkNewer)),
  )
}

/** Returns undefined if the type is no longer `before`. */
async function save(
  sources: PreparingSources,
  { ontology, definition, by, before, outcome }: CheckedChange,
  checkNewer: CheckNewer = async () => {},
): Promise<ObjectType | undefined> {
  return sources.database.transaction(async (transaction) => {
    // A change waits for a lock no longer than this, so that it does not block the readers queued behind it.
    await transaction.run("set local lock_timeout = '5s'")
    const types = await readTypesForChange(transaction, sources, ontology.schema)
    const now = types.find((candidate) => candidate.apiName === definition.apiName)
    if (now?.revision !== before?.revision || now?.revisionTag !== before?.revisionTag) return undefined
    if (now !== undefined && outcome === 'unchanged') return now
    // Only here, because the other types of the ontology cannot change until this transaction has ended.
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

interface Creation {
  readonly ontology: Ontology
  readonly definition: ObjectTypeDefinition
  readonly types: readonly ObjectType[]
}

async function createType(
  transaction: Transaction,
  sources: CatalogSources,
  { ontology, definition, types }: Creation,
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
    // The values of the stored objects are still to be counted (count-values.ts).
    await transaction.rows({
      text: `update ${before.tables.clock} set counts_from = null where object_type = $1`,
      values: [before.id],
    })
  }
  await saveObjectType(transaction, after)
  return after
}

const namesOf = (columns: readonly Column[]): string => columns.map(({ name }) => name).join()
