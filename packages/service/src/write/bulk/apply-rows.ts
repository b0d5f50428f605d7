// The rows of a load are written into the tables of a type that has objects, as those of a large batch are: states that they
// replace go to history, and objects that are as they were stay as they are.
import type { CommitReceipt } from '@octavo/protocol'
import type { ObjectType } from '../../catalog/object-type.ts'
import type { Database } from '../../postgres/database.ts'
import { applyTogether } from '../commit/apply-commits.ts'
import { checkDeletions, deletionsOf, type DeletionLimit } from '../commit/deletion-limit.ts'
import type { GivenObjects } from '../commit/given-objects.ts'
import { wholeTables } from '../commit/stage-commit.ts'
import { receiptOf } from '../commit/write-commit.ts'
import { dropLoadTable, loadTable } from './load-table.ts'
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
    const rows = await applyTogether(transaction, [{ type, given }], { facts, isCitus: false })
    if (replaces) checkDeletions(type, maxDeletions, deletionsOf(rows[0]))
    const receipt = receiptOf(rows, { replayed: false })
    await endLoad(transaction, type, load, receipt)
    await transaction.run(dropLoadTable(type.schema, load))
    return receipt
  })
}

interface LoadedObjects {
  readonly load: string
  readonly largest: number
  readonly replaces: boolean
}

/** The objects of a load, as a commit takes them. Where a key is in several parts, the greatest part wins. */
const givenLoad = (type: ObjectType, { load, largest, replaces }: LoadedObjects): GivenObjects => ({
  source: (_parameters, _cast, withColumns) => {
    const columns = (withColumns ? type.columns : []).map(({ name }) => name)
    return `select distinct on (pk) ${['pk', 'false as deleted', 'scalars', 'others', ...columns].join(', ')} from ${loadTable(type.schema, load)} order by pk, part desc`
  },
  largest,
  replaces,
})
