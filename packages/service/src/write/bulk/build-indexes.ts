// Builds the indexes of a load's table. Each has its own transaction, so that a killed process leaves the whole index or none.
import type { ObjectType } from '../../catalog/object-type.ts'
import type { Database, Transaction } from '../../postgres/database.ts'
import { hasState } from '../../postgres/sqlstate.ts'
import { wholeTables } from '../commit/stage-commit.ts'
import { loadIndexes, loadTable, removeDuplicates, type LoadIndex } from './load-table.ts'

/**
 * For each index that is being built, so twice this much at a time. A GIN index gathers its entries in it, and writes them in
 * key order each time it is full: with the default of 64 MB, that is more often than need be.
 */
const maintenanceMemory = '256MB'

/** How many indexes are built at a time, each on its own connection. */
export const buildersAtOnce = 2

interface Building {
  readonly type: ObjectType
  readonly load: string
  readonly afterStep: (step: string) => Promise<void>
}

/** Most loads have each key once, and nothing has to be counted to find that out. */
export async function buildKey(database: Database, { type, load, afterStep }: Building): Promise<void> {
  const [key] = loadIndexes(type, load)
  try {
    await build(database, key)
  } catch (error) {
    if (!hasState(error, 'uniqueViolation')) throw error
    await changeAlone(database, key.name, async (transaction) => {
      await transaction.run(wholeTables)
      await transaction.run(removeDuplicates(type, load))
      await transaction.run(key.create)
    })
  }
  await afterStep('key')
}

/** Builds all indexes but that of the key. */
export async function buildOthers(database: Database, { type, load, afterStep }: Building): Promise<void> {
  const [, ...waiting] = loadIndexes(type, load)
  let built = 0
  const buildNext = async (): Promise<void> => {
    for (let index = waiting.shift(); index !== undefined; index = waiting.shift()) {
      await build(database, index)
      built += 1
      await afterStep(`index ${built}`)
    }
  }
  await allEnded(Array.from({ length: buildersAtOnce }, buildNext))
  // Without it, nobody knows what the columns hold until autovacuum has come by.
  await database.transaction(async (transaction) => {
    await transaction.takeTime()
    await transaction.run(`analyze ${loadTable(type.schema, load)}`)
  })
  await afterStep('analysed')
}

/** Waits for all of them, also if one fails: the others would use connections that are being closed. */
async function allEnded(works: readonly Promise<void>[]): Promise<void> {
  const failed = (await Promise.allSettled(works)).find(({ status }) => status === 'rejected')
  if (failed?.status === 'rejected') throw failed.reason
}

const build = (database: Database, { name, create }: LoadIndex): Promise<void> =>
  changeAlone(database, name, (transaction) => transaction.run(create))

/** Waits for the server if it is still doing the same for a process that is gone. */
const changeAlone = (
  database: Database,
  name: string,
  work: (transaction: Transaction) => Promise<void>,
): Promise<void> =>
  database.transaction(async (transaction) => {
    await transaction.takeTime()
    await transaction.run(`set local maintenance_work_mem = '${maintenanceMemory}'`)
    await transaction.rows({ text: 'select pg_advisory_xact_lock(hashtextextended($1, 0))', values: [name] })
    await work(transaction)
  })
