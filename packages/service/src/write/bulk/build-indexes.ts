// Builds the indexes of a load's table. Each is a transaction of its own, so that a killed process leaves the whole index or none.
import { hashColumnOf } from '../../catalog/checksums.ts'
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

interface Building {
  readonly type: ObjectType
  readonly load: string
  readonly atOnce: number
  readonly afterStep: (step: string) => Promise<void>
}

/** What the table of a load has in the end. */
export interface LoadedRows {
  readonly objects: string
  /** The sum of the hashes. */
  readonly hashed: string
}

export async function buildIndexes(database: Database, building: Building): Promise<LoadedRows> {
  const { type, load, atOnce, afterStep } = building
  const [key, ...others] = loadIndexes(type, load)
  await buildKey(database, building, key)
  await afterStep('key')
  const waiting = [...others]
  let built = 0
  const buildNext = async (): Promise<void> => {
    for (let index = waiting.shift(); index !== undefined; index = waiting.shift()) {
      await build(database, index)
      built += 1
      await afterStep(`index ${built}`)
    }
  }
  const builders = await Promise.allSettled(Array.from({ length: atOnce }, buildNext))
  const failed = builders.find(({ status }) => status === 'rejected')
  if (failed?.status === 'rejected') throw failed.reason
  // Without it, nobody knows what the columns hold until autovacuum has come by.
  const counted = await database.transaction(async (transaction) => {
    await transaction.takeTime()
    await transaction.run(`analyze ${loadTable(type.schema, load)}`)
    return transaction.rows({
      text: `select count(*) as objects, coalesce(sum(${hashColumnOf(type) ?? '0'}), 0) as hashed from ${loadTable(type.schema, load)}`,
      values: [],
    })
  })
  await afterStep('analysed')
  return { objects: counted[0]?.['objects'] ?? '', hashed: counted[0]?.['hashed'] ?? '' }
}

/** Most loads have each key once, and nothing has to be counted to find that out. */
async function buildKey(database: Database, { type, load }: Building, key: LoadIndex): Promise<void> {
  try {
    await build(database, key)
  } catch (error) {
    if (!hasState(error, 'uniqueViolation')) throw error
    await build(database, key, async (transaction) => {
      await transaction.run(wholeTables)
      await transaction.run(removeDuplicates(type, load))
    })
  }
}

function build(
  database: Database,
  { name, create }: LoadIndex,
  before: (transaction: Transaction) => Promise<void> = async () => {},
): Promise<void> {
  return database.transaction(async (transaction) => {
    await transaction.takeTime()
    await transaction.run(`set local maintenance_work_mem = '${maintenanceMemory}'`)
    // The server may still be building it for a process that is gone.
    await transaction.rows({ text: 'select pg_advisory_xact_lock(hashtextextended($1, 0))', values: [name] })
    await before(transaction)
    await transaction.run(create)
  })
}
