// Brings all types of a copy to one later state, in one transaction.
import type { Client, Difference } from '@octavo/client'
import { CopyProblem } from './copy-problem.ts'
import { rowOf } from './copied-row.ts'
import { addedProperties, type CopiedType, type CopyTable, type TableRole } from './copied-type.ts'
import type { CopyDatabase, CopyDialect, Statements } from './copy-database.ts'
import { checksumText, readLoad, readStates, removeLoad, saveState, type CopyState } from './copy-state.ts'
import { addColumns, putRows, removeRows, showLoaded } from './copy-tables.ts'

export interface BroughtType {
  readonly role: TableRole
  /** The state that the table has. */
  readonly from: CopyState
  /** The definition as the service has it now. */
  readonly now: CopiedType
}

export interface BringUp {
  readonly database: CopyDatabase
  readonly client: Client
  readonly family: string
  readonly types: readonly BroughtType[]
  /** The later state, which is the same for all types. */
  readonly to: { readonly snapshotToken: string }
  readonly now: () => Date
  readonly signal: AbortSignal
}

export interface Brought {
  readonly state: CopyState
  readonly puts: number
  readonly deletes: number
  /** Whether the service gave a checksum, which the copy then has. */
  readonly isProved: boolean
}

export const bringUp = ({ database, types, ...others }: BringUp): Promise<readonly Brought[]> =>
  database.writing(async (statements) => {
    const states = (await readStates(statements, database.dialect)) ?? []
    const all: Brought[] = []
    for (const type of types) {
      const { apiName } = type.now
      const before = states.find((state) => state.type.apiName === apiName)
      const [there] = type.role === 'live' ? [before] : await readLoad(statements, apiName)
      if (there?.snapshotToken !== type.from.snapshotToken) {
        throw new CopyProblem('written elsewhere', apiName)
      }
      const brought = await bringType(statements, database.dialect, type, others)
      if (type.role === 'staging') {
        await showLoaded(statements, database.dialect, type.now, before?.type)
        await removeLoad(statements, apiName)
      }
      await saveState(statements, brought.state)
      all.push(brought)
    }
    return all
  })

async function bringType(
  statements: Statements,
  dialect: CopyDialect,
  { role, from, now }: BroughtType,
  { to, ...others }: Omit<BringUp, 'database' | 'types'>,
): Promise<Brought> {
  const table: CopyTable = { role, type: now }
  const added = addedProperties(from.type, now)
  if (added === undefined) throw new CopyProblem('another definition', now.apiName)
  await addColumns(statements, dialect, table, added)
  const objects = others.client.family(others.family).objects(now.apiName)
  let { objects: count, sum } = from
  let [puts, deletes] = [0, 0]
  const changes = objects.changes(from.snapshotToken, {
    toSnapshotToken: to.snapshotToken,
    signal: others.signal,
  })
  for await (const page of changes.pages()) {
    const rows = page.flatMap((change) => (change.type === 'put' ? [rowOf(change.object, now)] : []))
    const keys = page.flatMap((change) => (change.type === 'delete' ? [change.primaryKey] : []))
    const differences = [
      await putRows(statements, dialect, table, rows),
      await removeRows(statements, dialect, table, keys),
    ]
    for (const difference of differences) {
      count += difference.objects
      sum += difference.sum
    }
    puts += rows.length
    deletes += keys.length
  }
  requireSame({ objects: count, sum }, changes, now.apiName)
  const state: CopyState = {
    type: now,
    ontologyRid: from.ontologyRid,
    snapshotToken: to.snapshotToken,
    version: changes.toVersion,
    objects: count,
    sum,
    syncedAt: others.now().toISOString(),
  }
  return { state, puts, deletes, isProved: changes.checksum !== undefined }
}

/** Nothing is committed unless the copy has what the service says that the state has. */
function requireSame(
  { objects, sum }: Pick<CopyState, 'objects' | 'sum'>,
  { totalCount, checksum }: Pick<Difference<unknown>, 'totalCount' | 'checksum'>,
  objectType: string,
): void {
  const isOther =
    (totalCount !== undefined && totalCount !== String(objects)) ||
    (checksum !== undefined && checksum !== checksumText(sum))
  if (isOther) throw new CopyProblem('does not add up', objectType)
}
