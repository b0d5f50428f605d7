// The rows that say which loads there are, which parts each has, and how it ended.
import { limits, type CommitReceipt, type LoadPartReceipt, type LoadPhase } from '@octavo/protocol'
import { invariant } from '../../base/errors/invariant.ts'
import { ServiceError } from '../../base/errors/service-error.ts'
import type { ObjectType } from '../../catalog/object-type.ts'
import { StaleDefinition } from '../../catalog/stale-definition.ts'
import type { Database, Reader, Row, Transaction } from '../../postgres/database.ts'
import { hasState } from '../../postgres/sqlstate.ts'
import { copyChunks, copyRows, type PartRows } from './load-rows.ts'
import { createLoadTable, dropLoadTable, isLoadId } from './load-table.ts'

/** A load as its row says it is. */
export interface StoredLoad {
  readonly load: string
  readonly revision: number
  readonly revisionTag: string
  /** The version that its rows are written with: the next one when it was begun. */
  readonly version: string
  readonly replaces: boolean
  readonly phase: LoadPhase
  readonly receipt: CommitReceipt | undefined
}

const columns = 'load, revision, revision_tag, version, replaces, phase, receipt'

export interface NewLoad {
  readonly load: string
  readonly replaces: boolean
}

/** Creates the table and the row together: neither is ever without the other. */
export async function beginLoad(
  database: Database,
  type: ObjectType,
  { load, replaces }: NewLoad,
): Promise<void> {
  invariant(isLoadId(load), 'load-with-another-id')
  const { schema, tables, id, revision, revisionTag } = type
  await database.holding(schema).transaction(async (transaction) => {
    const begun = await transaction.rows({
      text: `insert into ${schema}.loads (load, object_type, revision, revision_tag, version, replaces, phase, begun_at)
select $1, object_type, revision, revision_tag, version + 1, $5, 'receiving', now() at time zone 'UTC'
from ${tables.clock} where object_type = $2 and revision = $3 and revision_tag = $4 returning load`,
      values: [load, id, revision, revisionTag, replaces],
    })
    if (begun.length === 0) throw new StaleDefinition(type)
    const [counted] = await transaction.rows({
      text: `select count(*) as unfinished from ${schema}.loads where receipt is null`,
      values: [],
    })
    const { unfinished } = limits.load
    if (Number(counted?.['unfinished']) > unfinished) {
      throw new ServiceError('TooManyLoads', { limit: 'unfinishedLoads', maximum: unfinished })
    }
    await transaction.run(createLoadTable(type, load))
  })
}

/** A key always makes the same id, so a request that is repeated finds the load that it began before. */
export async function beginLoadOnce(
  database: Database,
  type: ObjectType,
  { idempotencyKey, ...begun }: NewLoad & { readonly idempotencyKey: string },
): Promise<void> {
  try {
    await beginLoad(database, type, begun)
  } catch (error) {
    if (!hasState(error, 'uniqueViolation')) throw error
    const [known] = await database.holding(type.schema).rows({
      text: `select 1 from ${type.schema}.loads where load = $1 and object_type = $2 and replaces = $3`,
      values: [begun.load, type.id, begun.replaces],
    })
    if (known === undefined)
      throw new ServiceError('IdempotencyKeyConflict', { idempotencyKey }, { cause: error })
  }
}

/** The number of the object type that a load is of. */
export async function typeOfLoad(database: Reader, schema: string, load: string): Promise<number> {
  const [row] = isLoadId(load)
    ? await database.rows({ text: `select object_type from ${schema}.loads where load = $1`, values: [load] })
    : []
  if (row === undefined) throw new ServiceError('LoadNotFound', { loadId: load })
  return Number(row['object_type'])
}

/** Refuses what is no load of the type. */
export async function findLoad(
  database: Reader,
  type: ObjectType,
  load: string,
  lock: '' | 'for share' | 'for update' = '',
): Promise<StoredLoad> {
  const [row] = isLoadId(load)
    ? await database.rows({
        text: `select ${columns} from ${type.schema}.loads where load = $1 and object_type = $2 ${lock}`,
        values: [load, type.id],
      })
    : []
  if (row === undefined) throw new ServiceError('LoadNotFound', { loadId: load })
  return storedLoad(row)
}

const storedLoad = (row: Row): StoredLoad => ({
  load: row['load'] ?? '',
  revision: Number(row['revision']),
  revisionTag: row['revision_tag'] ?? '',
  version: row['version'] ?? '',
  replaces: row['replaces'] === 't',
  phase: row['phase'] as LoadPhase,
  receipt: row['receipt'] === null ? undefined : (JSON.parse(row['receipt'] ?? '') as CommitReceipt),
})

/**
 * The rows of a load are made for one definition; under another one they may lack columns. The type that this process knows may
 * be as old as the load, so the database is asked too.
 */
export async function requireSameDefinition(
  database: Reader,
  type: ObjectType,
  { load, revision, revisionTag }: StoredLoad,
): Promise<void> {
  if (type.revision !== revision || type.revisionTag !== revisionTag) {
    throw new ServiceError('LoadOutdated', { loadId: load, objectType: type.apiName })
  }
  const current = await database.rows({
    text: `select 1 from ${type.tables.clock} where object_type = $1 and revision = $2 and revision_tag = $3`,
    values: [type.id, revision, revisionTag],
  })
  if (current.length === 0) throw new StaleDefinition(type)
}

export interface Part extends PartRows {
  readonly part: string
  readonly digest: string
}

/** Stores a part, unless it is there; the answer says how many objects it has. */
export async function addPart(
  database: Database,
  type: ObjectType,
  load: string,
  { part, digest, ...rows }: Part,
): Promise<Omit<LoadPartReceipt, 'part'>> {
  const { schema } = type
  try {
    await database.holding(schema).transaction(async (transaction) => {
      // A load that is to be finished waits for the parts that have this lock; later ones find that it is closed.
      const found = await findLoad(transaction, type, load, 'for share')
      if (found.phase !== 'receiving') throw new ServiceError('LoadClosed', { loadId: load })
      await requireSameDefinition(transaction, type, found)
      // First: the same part, sent twice at once, waits here for the other.
      await transaction.rows({
        text: `insert into ${schema}.load_parts (load, part, digest, objects, largest, received_at)
values ($1, $2, $3, $4, $5, now() at time zone 'UTC')`,
        values: [load, part, digest, rows.rows.size, rows.largest],
      })
      await transaction.copyIn(copyRows(type, load), copyChunks(rows, { part, version: found.version }))
    })
  } catch (error) {
    if (!hasState(error, 'uniqueViolation')) throw error
    const known = await storedPart(database, type, load, { part, digest })
    if (known === undefined) throw error
    return { objectCount: known, replayed: true }
  }
  return { objectCount: rows.rows.size, replayed: false }
}

/** How many objects the part has if the load has it; refused if it was sent with other contents. */
export async function storedPart(
  database: Database,
  type: ObjectType,
  load: string,
  { part, digest }: Pick<Part, 'part' | 'digest'>,
): Promise<number | undefined> {
  const [found] = await database.holding(type.schema).rows({
    text: `select digest, objects from ${type.schema}.load_parts where load = $1 and part = $2`,
    values: [load, part],
  })
  if (found === undefined) return undefined
  if (found['digest'] === digest) return Number(found['objects'])
  throw new ServiceError('LoadPartConflict', { loadId: load, part: Number(part) })
}

export async function countParts(database: Reader, { schema }: ObjectType, load: string) {
  const [row] = await database.rows({
    text: `select count(*) as parts, coalesce(max(largest), 0) as largest from ${schema}.load_parts where load = $1`,
    values: [load],
  })
  return {
    parts: Number(row?.['parts']),
    largest: Number(row?.['largest']),
  }
}

export const setPhase = async (
  database: Reader,
  { schema }: ObjectType,
  load: string,
  phase: LoadPhase,
): Promise<void> =>
  void (await database.rows({
    text: `update ${schema}.loads set phase = $2 where load = $1 and receipt is null`,
    values: [load, phase],
  }))

/** In the transaction that commits the objects: a load has a receipt if and only if its objects are there. */
export async function endLoad(
  transaction: Transaction,
  { schema }: ObjectType,
  load: string,
  receipt: CommitReceipt,
): Promise<void> {
  await transaction.rows({
    text: `update ${schema}.loads set phase = 'done', receipt = $2, ended_at = now() at time zone 'UTC' where load = $1`,
    values: [load, JSON.stringify(receipt)],
  })
}

/** The name of a lock: one process at a time finishes a load, and none gives it up meanwhile. */
export const finishingOf = (load: string): string => `octavo load ${load}`

/** Removes a load that is neither finished nor being finished, with its tables; false if it is. */
export async function removeLoad(transaction: Transaction, schema: string, load: string): Promise<boolean> {
  const [lock] = await transaction.rows({
    text: 'select pg_try_advisory_xact_lock(hashtextextended($1, 0)) as taken',
    values: [finishingOf(load)],
  })
  if (lock?.['taken'] !== 't') return false
  const removed = await transaction.count({
    text: `delete from ${schema}.loads where load = $1 and receipt is null`,
    values: [load],
  })
  if (removed === 0) return false
  await transaction.rows({ text: `delete from ${schema}.load_parts where load = $1`, values: [load] })
  // A part that is still being written ends soon; until then, the load stays as it is.
  await transaction.run("set local lock_timeout = '3s'")
  await transaction.run(dropLoadTable(schema, load))
  return true
}

export async function giveUpLoad(database: Database, type: ObjectType, load: string): Promise<void> {
  const isRemoved = await database.holding(type.schema).transaction(async (transaction) => {
    await findLoad(transaction, type, load)
    return removeLoad(transaction, type.schema, load)
  })
  if (!isRemoved) throw new ServiceError('LoadClosed', { loadId: load })
}
