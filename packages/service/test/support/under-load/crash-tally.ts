import type { CommitReceipt } from '@octavo/protocol'
import type { LedgerPart } from './commit-ledger.ts'

export interface CrashTally {
  acknowledged: number
  /** Commits that were sent and got no answer. */
  unanswered: number
  /** Those of them that were there after the restart, complete. */
  unansweredButThere: number
  /** Commits that were retried with the same key. */
  sentAgain: number
  walks: number
  objects: number
  readonly differences: string[]
}

/** A commit that can be retried. */
export interface Attempt {
  readonly parts: readonly LedgerPart[]
  readonly key: string
  readonly send: () => Promise<CommitReceipt>
}
