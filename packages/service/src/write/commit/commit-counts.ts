// What a commit did, or would do, to the objects of its types.
import type { CommitReceipt } from '@octavo/protocol'
import type { Row } from '../../postgres/database.ts'

export type CommitCounts = Pick<CommitReceipt, 'created' | 'updated' | 'deleted' | 'unchanged'>

export function countsOf(rows: readonly Row[]): CommitCounts {
  const sum = (name: string) => rows.reduce((total, row) => total + Number(row[name]), 0)
  return {
    created: sum('created'),
    updated: sum('updated'),
    deleted: sum('deleted'),
    unchanged: sum('unchanged'),
  }
}
