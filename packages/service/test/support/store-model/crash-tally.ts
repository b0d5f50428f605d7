import type { CommitReceipt } from '@octavo/protocol'
import type { LedgerPart } from './commit-ledger.ts'

export interface CrashTally {
  acknowledged: number
  /** Sent, and no answer came. */
  unanswered: number
  /** Of these, the ones that were there after the restart, whole. */
  unansweredButThere: number
  /** Sent again with the same key. */
  sentAgain: number
  walks: number
  objects: number
  readonly differences: string[]
}

/** A commit that can be sent again. */
export interface Attempt {
  readonly parts: readonly LedgerPart[]
  readonly key: string
  readonly send: () => Promise<CommitReceipt>
}
