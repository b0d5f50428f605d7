// A load that replaces most of a type makes both its tables anew: the load's own table becomes the current one, and a copy of
// history takes the rows that end. Both get their indexes when they are filled. Rows that are written into the tables of the type
// one by one would cost an entry in each of their indexes. Readers go on with the old tables meanwhile, and writers of the type
// wait, as for every replacement.
import type { CommitReceipt } from '@octavo/protocol'
import { invariant } from '../../base/errors/invariant.ts'
import { ServiceError } from '../../base/errors/service-error.ts'
import { isUnfinished } from '../../catalog/object-type.ts'
import { tableSides } from '../../catalog/type-tables.ts'
import type { Database, Transaction } from '../../postgres/database.ts'
import { partAlone } from '../commit/apply-in-steps.ts'
import { differ, type GivenObjects } from '../commit/compile-commit.ts'
import { checkDeletions, type DeletionLimit } from '../commit/deletion-limit.ts'
import { countsOf } from '../commit/commit-counts.ts'
import { countChanges } from '../commit/preview-commit.ts'
import type { Clock } from '../commit/record-commit.ts'
import { wholeTables } from '../commit/stage-commit.ts'
import { givenLoad } from './apply-rows.ts'
import { allEnded, buildKey, buildOthers, changeAlone } from './build-indexes.ts'
import { createLoadTable, loadTable } from './load-table.ts'
import { findLoad, setPhase } from './loads.ts'
import { canBeMadeAnew } from './made-anew.ts'
import { lockClock, lockTables, putInPlace, type SteppedLoad } from './swap-tables.ts'

interface Replacement extends SteppedLoad {
  readonly maxDeletions: DeletionLimit | undefined
}

/**
 * Keeps others from vacuuming a table or building an index on it, not from reading and writing it. Autovacuum gives way when
 * somebody has waited for a second.
 */
const withoutVacuum = { mode: 'share update exclusive', wait: '5s', tries: 1 }

/**
 * Undefined if the rows have to be written instead. One transaction holds the clock all the time, so the type stays as it was
 * when its changes were counted; two other connections fill the tables and build the indexes.
 */
export async function replaceTables(
  database: Database,
  replacement: Replacement,
): Promise<CommitReceipt | undefined> {
  const { type, load, largest, maxDeletions, afterStep } = replacement
  if (isUnfinished(type)) return undefined
  await buildKey(database, { type, load: load.load, afterStep })
  return database.transaction(async (transaction) => {
    const before = await lockClock(transaction, type)
    const known = await findLoad(transaction, type, load.load)
    if (known.receipt !== undefined) return { ...known.receipt, replayed: true }
    if (!(await canBeMadeAnew(transaction, type, load.load))) return undefined

    await transaction.run(wholeTables)
    const given = givenLoad(type, { load: load.load, largest, replaces: true, hasKey: true })
    const counts = countsOf(await transaction.rows(countChanges(type, given)))
    const { created, updated, deleted } = counts
    checkDeletions(type, maxDeletions, { deleted, objects: Number(before.live) })
    // Rows that stay cost nothing if they are left where they are.
    if (BigInt(2 * (created + updated + deleted)) < before.live) return undefined
    // The transaction is idle while others work for it.
    await transaction.run('set local idle_in_transaction_session_timeout = 0')
    const tables = tableSides.map((side) => type.tables[side])
    if (!(await lockTables(transaction, tables, withoutVacuum))) return undefined
    // If the tables cannot be put in place, nothing may be left of what is written here.
    await transaction.run('savepoint counted')
    await afterStep('counted')

    const ended = updated + deleted
    const making = { ...replacement, before, version: String(before.version + 1n) }
    await allEnded([
      makeCurrent(database, making),
      makeHistory(database, making, { given, ended }),
      rememberChanges(transaction, making, { given, changed: created + ended }),
    ])
    await setPhase(database, type, load.load, 'committing')
    const receipt = await putInPlace(transaction, { ...replacement, before, counts, sides: tableSides })
    if (receipt === undefined) await transaction.run('rollback to savepoint counted')
    return receipt
  })
}

interface Making extends SteppedLoad {
  readonly before: Clock
  readonly version: string
}

/**
 * The connection that holds the clock may be lost meanwhile, and another process may finish the load as a later version. Nothing
 * of this version may then be written over what is made there.
 */
const makeAlone = (
  database: Database,
  { type, before }: Making,
  table: string,
  work: (transaction: Transaction) => Promise<void>,
): Promise<void> =>
  changeAlone(database, table, async (transaction) => {
    const unchanged = await transaction.rows({
      text: `select 1 from ${type.tables.clock} where object_type = $1 and version = $2`,
      values: [type.id, String(before.version)],
    })
    if (unchanged.length === 0) throw new ServiceError('Overloaded', { retryAfterSeconds: 1 })
    await transaction.run(wholeTables)
    await work(transaction)
  })

/** In the transaction that holds the clock: it has nothing else to do meanwhile, and ends with the commit. */
async function rememberChanges(
  transaction: Transaction,
  { type, version }: Making,
  { given, changed }: { readonly given: GivenObjects; readonly changed: number },
): Promise<void> {
  const rows = await transaction.count(partAlone('remember', { type, given, version, epoch: '' }))
  invariant(rows === changed, 'replacement-remembers-other-changes')
}

/** An object that is as it was keeps the version with which it became so. */
async function makeCurrent(database: Database, making: Making): Promise<void> {
  const { type, load, version, afterStep } = making
  const table = loadTable(type.schema, load.load)
  await makeAlone(database, making, table, async (transaction) => {
    // The load may have been begun at another version, or finished in part.
    await transaction.count({
      text: `update ${table} set version_from = $1 where version_from <> $1`,
      values: [version],
    })
    await transaction.run(
      `update ${table} u set version_from = c.version_from from ${type.tables.current} c where c.pk = u.pk and not ${differ('c', 'u')}`,
    )
  })
  await afterStep('versions kept')
  await buildOthers(database, { type, load: load.load, afterStep })
}

async function makeHistory(
  database: Database,
  making: Making,
  { given, ended }: { readonly given: GivenObjects; readonly ended: number },
): Promise<void> {
  const { type, load, version, before, afterStep } = making
  const table = loadTable(type.schema, load.load, 'history')
  await makeAlone(database, making, table, async (transaction) => {
    // One that was left by a process that died may be of another version.
    await transaction.run(`drop table if exists ${table}; ${createLoadTable(type, load.load, 'history')}`)
    await transaction.run(`insert into ${table} select * from ${type.tables.history}`)
    const filled = { ...type, tables: { ...type.tables, history: table } }
    const epoch = String(before.epochs.epoch)
    const rows = await transaction.count(partAlone('end', { type: filled, given, version, epoch }))
    invariant(rows === ended, 'replacement-ends-other-rows')
  })
  await afterStep('history filled')
  const building = {
    type,
    load: load.load,
    side: 'history',
    afterStep: (step: string) => afterStep(`history ${step}`),
  } as const
  await buildKey(database, building)
  await buildOthers(database, building)
}
