// Makes the table of a load the current table of its type, in one short transaction. A reader sees the empty type of the version
// before, or the whole load: whoever waits for the lock of the table looks up its name again and takes a new snapshot afterwards.
// A walk at an earlier version passes over the rows, which begin with the version of this commit.
import type { CommitReceipt } from '@octavo/protocol'
import { wireTime } from '../../base/value/column-time.ts'
import type { ObjectType } from '../../catalog/object-type.ts'
import { StaleDefinition } from '../../catalog/stale-definition.ts'
import type { Database, Transaction } from '../../postgres/database.ts'
import { hasState } from '../../postgres/sqlstate.ts'
import { checksumAfter } from '../../catalog/checksums.ts'
import { writesEpochs } from '../../catalog/epochs.ts'
import { readTime } from '../commit/apply-in-steps.ts'
import { lockClocks, type CommitFacts } from '../commit/compile-commit.ts'
import { clockColumns, clockFrom, recordCommit, setClock } from '../commit/record-commit.ts'
import type { LoadedRows } from './build-indexes.ts'
import { becomeCurrent, loadIndexes, loadTable } from './load-table.ts'
import { endLoad, findLoad, type StoredLoad } from './loads.ts'

export interface FinishedLoad {
  readonly type: ObjectType
  readonly load: StoredLoad
  /** The size of its largest object. */
  readonly largest: number
  readonly facts: CommitFacts
}

interface Swapping extends FinishedLoad, LoadedRows {
  readonly afterStep: (step: string) => Promise<void>
}

type Swapped =
  | { readonly outcome: 'swapped'; readonly receipt: CommitReceipt }
  /** Somebody reads the table: it can be tried again. */
  | { readonly outcome: 'busy' }
  /** The type is no longer empty, or has another version. */
  | { readonly outcome: 'impossible' }

/** The longest that readers wait behind a swap that itself waits for a reader. */
const lockWait = '300ms'

export async function swapTables(database: Database, swapping: Swapping): Promise<Swapped> {
  try {
    return await database.transaction((transaction) => swap(transaction, swapping))
  } catch (error) {
    if (hasState(error, 'lockNotAvailable')) return { outcome: 'busy' }
    throw error
  }
}

async function swap(transaction: Transaction, swapping: Swapping): Promise<Swapped> {
  const { type, load, objects, hashed, largest, facts, afterStep } = swapping
  // The clock before the tables, as writers and definitions do it. A writer may hold it for as long as its batch needs.
  await transaction.takeTime()
  await transaction.rows(lockClocks([type]))
  const known = await findLoad(transaction, type, load.load, 'for update')
  if (known.receipt !== undefined)
    return { outcome: 'swapped', receipt: { ...known.receipt, replayed: true } }
  const [clock] = await transaction.rows({
    text: `select ${clockColumns.join(', ')}, revision, revision_tag from ${type.tables.clock} where object_type = $1`,
    values: [type.id],
  })
  if (clock?.['revision'] !== String(type.revision) || clock['revision_tag'] !== type.revisionTag) {
    throw new StaleDefinition(type)
  }
  const before = clockFrom(clock)
  if (before.live !== 0n || before.version + 1n !== BigInt(load.version)) return { outcome: 'impossible' }
  if (!(await hasAllIndexes(transaction, type, load.load))) return { outcome: 'impossible' }
  await afterStep('clock locked')

  await transaction.run(`set local lock_timeout = '${lockWait}'`)
  await transaction.run(`lock table ${type.tables.current} in access exclusive mode`)
  await transaction.run(becomeCurrent(type, load.load).join('; '))
  await afterStep('renamed')
  const checksum = checksumAfter(before.checksum.checksum, BigInt(hashed))
  const committed = {
    version: load.version,
    committed_at: await readTime(transaction, [{ type }]),
    live: objects,
    put: objects,
    deleted: '0',
    unchanged: '0',
    // No row has ended, so no epoch has.
    epoch: writesEpochs(type) ? String(before.epochs.epoch) : null,
    checksum: before.checksum.isKnown ? String(checksum) : null,
  }
  for (const query of recordCommit(type, facts, committed)) await transaction.count(query)
  await transaction.count(
    setClock(type, {
      ...before,
      version: BigInt(load.version),
      live: BigInt(objects),
      largest: Math.max(largest, before.largest),
      checksum: { ...before.checksum, checksum },
    }),
  )
  const receipt: CommitReceipt = {
    version: load.version,
    committedAt: wireTime(committed.committed_at),
    put: Number(objects),
    deleted: 0,
    unchanged: 0,
    replayed: false,
    way: 'table',
  }
  await endLoad(transaction, type, load.load, receipt)
  await afterStep('recorded')
  return { outcome: 'swapped', receipt }
}

/** The last look before the table is served: every index that pages rely on is there and whole. */
async function hasAllIndexes(transaction: Transaction, type: ObjectType, load: string): Promise<boolean> {
  const names = loadIndexes(type, load).map(({ name }) => name)
  const [found] = await transaction.rows({
    text: `select count(*) as built from pg_index i join pg_class c on c.oid = i.indexrelid
where i.indrelid = to_regclass($1) and i.indisvalid and c.relname = any($2::text[])`,
    values: [loadTable(type.schema, load), names],
  })
  return found?.['built'] === String(names.length)
}
