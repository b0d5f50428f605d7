import type { ObjectType } from '../../catalog/object-type.ts'
import { countedColumns } from '../../catalog/counts.ts'
import type { Database, SchemaDatabase } from '../../postgres/database.ts'
import { pruneChanges } from './prune-changes.ts'
import { pruneCommits } from './prune-commits.ts'
import { emptyHistory } from './empty-history.ts'
import { pruneHistory } from './prune-history.ts'
import { raiseFloor } from './raise-floor.ts'

export interface PruneTimes {
  readonly retentionSeconds: number
  /** Longer than the longest statement. */
  readonly settleSeconds: number
  readonly commitsKeptSeconds: number
}

export interface Pruned {
  readonly historyRows: number
  readonly commits: number
}

/** Deletes what the last floor allows, then raises the floor: what the new floor allows is deleted the next time. */
export async function prune(all: Database, type: ObjectType, times: PruneTimes): Promise<Pruned> {
  const database = all.holding(type.schema)
  // Citus truncates a table on all its nodes or not at all, so one node that is down would stop it.
  const emptied = all.isCitus() ? 0 : await emptyHistory(database, type, times)
  const historyRows = emptied + (await pruneHistory(database, type, times))
  const commits = await pruneCommits(database, type, times.commitsKeptSeconds)
  await pruneChanges(database, type)
  await pruneCounts(database, type)
  await raiseFloor(database, type, times)
  return { historyRows, commits }
}

/** Values that no object has any more. A commit that adds an object to one of them first makes this wait or finds no row. */
async function pruneCounts(database: SchemaDatabase, type: ObjectType): Promise<void> {
  if (countedColumns(type).length === 0) return
  await database.rows({ text: `delete from ${type.tables.counts} where objects = 0`, values: [] })
}
