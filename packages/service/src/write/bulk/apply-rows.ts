// The rows of a load are written into the tables of a type that has objects, as those of a large batch are: states that they
// replace go to history, and objects that are as they were stay as they are.
import type { CommitReceipt } from '@octavo/protocol'
import type { ObjectType } from '../../catalog/object-type.ts'
import type { Database } from '../../postgres/database.ts'
import type { GivenObjects } from '../commit/compile-commit.ts'
import { checkDeletions, deletionsOf, type DeletionLimit } from '../commit/deletion-limit.ts'
import { wholeTables } from '../commit/stage-commit.ts'
import { applySeveral, receiptOf } from '../commit/write-commit.ts'
import { dropLoadTables, loadTable } from './load-table.ts'
import { endLoad, findLoad } from './loads.ts'
import type { FinishedLoad } from './swap-tables.ts'

export async function applyRows(
  database: Database,
  {
    type,
    load: { load, replaces },
    largest,
    facts,
    maxDeletions,
  }: FinishedLoad & { readonly maxDeletions: DeletionLimit | undefined },
): Promise<CommitReceipt> {
  return database.transaction(async (transaction) => {
    await transaction.takeTime()
    const known = await findLoad(transaction, type, load, 'for update')
    if (known.receipt !== undefined) return { ...known.receipt, replayed: true }
    await transaction.run(wholeTables)
    const given = givenLoad(type, { load, largest, replaces })
    const rows = await applySeveral(transaction, [{ type, given }], { facts, inSteps: false })
    if (replaces) checkDeletions(type, maxDeletions, deletionsOf(rows[0]))
    const receipt = receiptOf(rows, false)
    await endLoad(transaction, type, load, receipt)
    await transaction.run(dropLoadTables(type.schema, load))
    return receipt
  })
}

interface GivenLoad {
  readonly load: string
  readonly largest: number
  readonly replaces: boolean
  /** Each key is there once. */
  readonly hasKey?: boolean
}

/** The objects of a load, as a commit takes them. */
export const givenLoad = (
  type: ObjectType,
  { load, largest, replaces, hasKey = false }: GivenLoad,
): GivenObjects => ({
  source: (_parameters, _cast, withColumns = true) => {
    const columns = (withColumns ? type.columns : []).map(({ name }) => name)
    // Where a key is in several parts, the greatest part wins.
    const [once, last] = hasKey ? ['', ''] : ['distinct on (pk) ', ' order by pk, part desc']
    return `select ${once}${['pk', 'false as deleted', 'scalars', 'others', ...columns].join(', ')} from ${loadTable(type.schema, load)}${last}`
  },
  largest,
  staged: true,
  replaces,
})
