// Makes the tables of a load those of its type, in one transaction. A reader sees the type of the version before, or the whole
// load: whoever waits for the lock of a table looks up its name again and takes a new snapshot afterwards. A walk at an earlier
// version passes over the new rows, which begin with the version of this commit.
import { setTimeout as sleep } from 'node:timers/promises'
import type { CommitReceipt } from '@octavo/protocol'
import { countedColumns, countRows, isWaiting } from '../../catalog/counts.ts'
import { checksumAfter, hashColumnOf } from '../../catalog/checksums.ts'
import { epochAfter } from '../../catalog/epochs.ts'
import type { ObjectType } from '../../catalog/object-type.ts'
import { StaleDefinition } from '../../catalog/stale-definition.ts'
import type { TableSide } from '../../catalog/type-tables.ts'
import type { Database, Transaction } from '../../postgres/database.ts'
import { hasState } from '../../postgres/sqlstate.ts'
import type { CommitCounts } from '../commit/commit-counts.ts'
import { readTime } from '../commit/apply-in-steps.ts'
import { lockClocks, type CommitFacts } from '../commit/compile-commit.ts'
import { clockColumns, clockFrom, recordCommit, setClock, type Clock } from '../commit/record-commit.ts'
import { receiptOf } from '../commit/write-commit.ts'
import { loadIndexes, loadTable, takePlace } from './load-table.ts'
import { endLoad, findLoad, type StoredLoad } from './loads.ts'

export interface FinishedLoad {
  readonly type: ObjectType
  readonly load: StoredLoad
  /** The size of its largest object. */
  readonly largest: number
  readonly facts: CommitFacts
}

export interface SteppedLoad extends FinishedLoad {
  readonly afterStep: (step: string) => Promise<void>
}

/** Makes the load the contents of an empty type. Undefined if that is not possible: then its rows have to be written. */
export function swapIntoEmpty(database: Database, swapping: SteppedLoad): Promise<CommitReceipt | undefined> {
  const { type, load } = swapping
  return database.transaction(async (transaction) => {
    const before = await lockClock(transaction, type)
    if (before.live !== 0n || before.version + 1n !== BigInt(load.version)) return undefined
    const [counted] = await transaction.rows({
      text: `select count(*) as objects from ${loadTable(type.schema, load.load)}`,
      values: [],
    })
    const counts = { created: Number(counted?.['objects']), updated: 0, deleted: 0, unchanged: 0 }
    // Whoever had the empty state reads everything anyway, so nothing is written for all the objects (P274).
    return putInPlace(transaction, { ...swapping, before, counts, sides: ['current'], forgetsChanges: true })
  })
}

/** From here on, nobody else writes to the type. A writer may hold its clock for as long as its batch needs. */
export async function lockClock(transaction: Transaction, type: ObjectType): Promise<Clock> {
  await transaction.takeTime()
  await transaction.rows(lockClocks([type]))
  const [clock] = await transaction.rows({
    text: `select ${clockColumns.join(', ')}, revision, revision_tag from ${type.tables.clock} where object_type = $1`,
    values: [type.id],
  })
  if (clock?.['revision'] !== String(type.revision) || clock['revision_tag'] !== type.revisionTag) {
    throw new StaleDefinition(type)
  }
  return clockFrom(clock)
}

interface Prepared extends SteppedLoad {
  /** The clock, which is locked. */
  readonly before: Clock
  /** What the commit does. */
  readonly counts: CommitCounts
  /** The tables that the load has made. */
  readonly sides: readonly TableSide[]
  /** Whether it is not remembered which objects have changed. */
  readonly forgetsChanges?: boolean
}

/** Undefined if the tables cannot be had, or are not as they must be. Nothing is changed then. */
export async function putInPlace(
  transaction: Transaction,
  {
    type,
    load: { load },
    largest,
    facts,
    before,
    counts,
    sides,
    afterStep,
    forgetsChanges = false,
  }: Prepared,
): Promise<CommitReceipt | undefined> {
  const known = await findLoad(transaction, type, load, 'for update')
  if (known.receipt !== undefined) return { ...known.receipt, replayed: true }
  for (const side of sides) if (!(await hasAllIndexes(transaction, type, load, side))) return undefined
  // The load's table is all that the type has then.
  const [summed] = await transaction.rows({
    text: `select coalesce(sum(${hashColumnOf(type)}), 0) as hashed from ${loadTable(type.schema, load)}`,
    values: [],
  })
  const checksum = checksumAfter(0n, BigInt(summed?.['hashed'] ?? 0))
  const counting = countAnew(type, loadTable(type.schema, load))
  if (counting !== undefined) await transaction.run(counting.count)
  await afterStep('checked')

  const tables = sides.map((side) => type.tables[side])
  if (!(await lockTables(transaction, tables, forSwap))) return undefined
  for (const side of sides) await transaction.run(takePlace(type, load, side).join('; '))
  if (counting !== undefined) await transaction.run(counting.take)
  await afterStep('renamed')
  const live = before.live + BigInt(counts.created - counts.deleted)
  const ended = BigInt(counts.updated + counts.deleted)
  const after = {
    version: before.version + 1n,
    live,
    largest: Math.max(largest, before.largest),
    ended,
    forgetsChanges,
    countsAnew: true,
    checksum,
    epochs: {
      ...before.epochs,
      ...epochAfter(before.epochs, { ended, live: before.live }),
    },
  }
  const committed = {
    version: String(after.version),
    committed_at: await readTime(transaction, [{ type }]),
    live: String(live),
    created: String(counts.created),
    updated: String(counts.updated),
    deleted: String(counts.deleted),
    unchanged: String(counts.unchanged),
    epoch: String(after.epochs.epoch),
    checksum: String(checksum),
  }
  for (const query of recordCommit(type, facts, committed)) await transaction.count(query)
  await transaction.count(setClock(type, after))
  const receipt = receiptOf([committed], false)
  await endLoad(transaction, type, load, receipt)
  await afterStep('recorded')
  return receipt
}

/** The values are counted while the type is still read from its own table; what was counted before goes when the load's takes its place. */
function countAnew(type: ObjectType, table: string) {
  const { counts } = type.tables
  if (countedColumns(type).length === 0) return undefined
  return {
    count: `delete from ${counts} where ${isWaiting};
insert into ${counts} (column_name, value, objects)
select '+' || column_name, value, objects from (${countRows(type, table)}) as counted`,
    take: `delete from ${counts} where not ${isWaiting};
update ${counts} set column_name = substr(column_name, 2)`,
  }
}

/** The last look before a table is served: every index that pages rely on is there and whole. */
async function hasAllIndexes(
  transaction: Transaction,
  type: ObjectType,
  load: string,
  side: TableSide,
): Promise<boolean> {
  const names = loadIndexes(type, load, side).map(({ name }) => name)
  const [found] = await transaction.rows({
    text: `select count(*) as built from pg_index i join pg_class c on c.oid = i.indexrelid
where i.indrelid = to_regclass($1) and i.indisvalid and c.relname = any($2::text[])`,
    values: [loadTable(type.schema, load, side), names],
  })
  return found?.['built'] === String(names.length)
}

interface TableLock {
  readonly mode: string
  /** The longest that others wait behind this lock while it waits itself. */
  readonly wait: string
  readonly tries: number
}

/**
 * The swap waits for those who read the tables, and readers who come later wait behind it. So it waits only this long at a time,
 * and lets them pass before it tries again.
 */
const forSwap: TableLock = { mode: 'access exclusive', wait: '300ms', tries: 40 }
const betweenTriesMs = 250

/** Locks the tables in the order in which pages do it. False if they are not to be had. */
export async function lockTables(
  transaction: Transaction,
  tables: readonly string[],
  { mode, wait, tries }: TableLock,
): Promise<boolean> {
  for (let tried = 0; tried < tries; tried += 1) {
    if (tried > 0) await sleep(betweenTriesMs)
    await transaction.run(`savepoint unlocked; set local lock_timeout = '${wait}'`)
    try {
      await transaction.run(`lock table ${tables.join(', ')} in ${mode} mode`)
      return true
    } catch (error) {
      if (!hasState(error, 'lockNotAvailable') && !hasState(error, 'deadlock')) throw error
      await transaction.run('rollback to savepoint unlocked')
    }
  }
  return false
}
