// Makes the table of a load that of its empty type, in one transaction. A reader sees the empty type or the whole load: a statement
// that waits for the lock of a table looks up its name again and takes a new snapshot afterwards. A walk at an earlier version passes
// over the new rows, which begin with the version of this commit.
import { setTimeout as sleep } from 'node:timers/promises'
import type { CommitReceipt } from '@octavo/protocol'
import { countedColumns, countRows, isWaiting } from '../../catalog/counts.ts'
import { hashColumnOf } from '../../catalog/checksums.ts'
import type { ObjectType } from '../../catalog/object-type.ts'
import { StaleDefinition } from '../../catalog/stale-definition.ts'
import type { Database, Row, Transaction } from '../../postgres/database.ts'
import { hasState } from '../../postgres/sqlstate.ts'
import { isOf } from '../commit/apply-commits.ts'
import type { CommitFacts } from '../commit/commit-parts.ts'
import { lockClocks, recordCommit, takeTime } from '../commit/commit-statements.ts'
import { receiptOf } from '../commit/write-commit.ts'
import { becomeCurrent, loadIndexes, loadTable } from './load-table.ts'
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

/** Undefined if that is not possible: then its rows have to be written. Nothing is changed then. */
export function swapIntoEmpty(
  database: Database,
  { type, load: { load, version }, largest, facts, afterStep }: SteppedLoad,
): Promise<CommitReceipt | undefined> {
  const { tables } = type
  const table = loadTable(type.schema, load)
  return database.transaction(async (transaction) => {
    // A writer may hold the clock for as long as its batch needs. From here on, nobody else writes to the type.
    await transaction.takeTime()
    const [clock = {}] = await transaction.rows(lockClocks([type]))
    if (!isOf(type, clock)) throw new StaleDefinition(type)
    if (clock['live'] !== '0' || BigInt(clock['version'] ?? 0) + 1n !== BigInt(version)) return undefined
    const known = await findLoad(transaction, type, load, 'for update')
    if (known.receipt !== undefined) return { ...known.receipt, replayed: true }
    if (!(await hasAllIndexes(transaction, type, load))) return undefined
    // While the type is still read from its own table.
    const [counted] = await transaction.rows({
      text: `select count(*) as objects, coalesce(sum(${hashColumnOf(type)}), 0) as hashed from ${table}`,
      values: [],
    })
    await transaction.run(countValues(type, table))
    await afterStep('checked')

    if (!(await lockTable(transaction, tables.current))) return undefined
    for (const statement of [...becomeCurrent(type, load), ...takeCounts(type)])
      await transaction.run(statement)
    await afterStep('renamed')
    const locked = { clock, version }
    const [taken] = await transaction.rows(takeTime(type, locked))
    const outcome = {
      created: counted?.['objects'] ?? null,
      updated: '0',
      deleted: '0',
      unchanged: '0',
      hashed: counted?.['hashed'] ?? null,
    }
    // Readers of the empty state read everything anyway, so nothing is remembered of all the objects (P274).
    const recording = { type, facts, largest, outcome, time: taken?.['time'] ?? '', forgetsEarlier: true }
    let committed: Row = {}
    for (const query of recordCommit(recording, locked)) committed = (await transaction.rows(query))[0] ?? {}
    const receipt = receiptOf([committed], { replayed: false })
    await endLoad(transaction, type, load, receipt)
    await afterStep('recorded')
    return receipt
  })
}

/** In rows that wait until the load's table takes the place of the type's. */
const countValues = (type: ObjectType, table: string): string =>
  countedColumns(type).length === 0
    ? ''
    : `delete from ${type.tables.counts} where ${isWaiting};
insert into ${type.tables.counts} (column_name, value, objects)
select '+' || column_name, value, objects from (${countRows(type, table)}) as counted`

const takeCounts = (type: ObjectType): readonly string[] =>
  countedColumns(type).length === 0
    ? []
    : [
        `delete from ${type.tables.counts} where not ${isWaiting}`,
        `update ${type.tables.counts} set column_name = substr(column_name, 2)`,
      ]

/** The last look before a table is served: every index that pages rely on is there and whole. */
async function hasAllIndexes(transaction: Transaction, type: ObjectType, load: string): Promise<boolean> {
  const names = loadIndexes(type, load).map(({ name }) => name)
  const [found] = await transaction.rows({
    text: `select count(*) as built from pg_index i join pg_class c on c.oid = i.indexrelid
where i.indrelid = to_regclass($1) and i.indisvalid and c.relname = any($2::text[])`,
    values: [loadTable(type.schema, load), names],
  })
  return found?.['built'] === String(names.length)
}

/**
 * The swap waits for those who read the table, and readers who come later wait behind it. So it waits only this long at a time, and
 * lets them pass before it tries again.
 */
const lockWait = '300ms'
const lockTries = 40
const betweenTriesMs = 250

/** False if the table is not to be had. */
async function lockTable(transaction: Transaction, table: string): Promise<boolean> {
  for (let tried = 0; tried < lockTries; tried += 1) {
    if (tried > 0) await sleep(betweenTriesMs)
    await transaction.run(`savepoint unlocked; set local lock_timeout = '${lockWait}'`)
    try {
      await transaction.run(`lock table ${table} in access exclusive mode`)
      return true
    } catch (error) {
      if (!hasState(error, 'lockNotAvailable') && !hasState(error, 'deadlock')) throw error
      await transaction.run('rollback to savepoint unlocked')
    }
  }
  return false
}
