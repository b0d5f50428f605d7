import type { PoolClient } from 'pg'

/** Where connections to one database come from. */
export interface ConnectionPool {
  readonly connect: () => Promise<PoolClient>
  /** With an error its connection is closed; where a server did not answer, all that are open are replaced before they are used again. */
  readonly release: (client: PoolClient, error?: Error) => void
  /** Called when a connection leads to another timeline than the ones before it. */
  readonly onNewTimeline: (listener: () => void) => void
  readonly counts: () => ConnectionCounts
  readonly end: () => Promise<void>
  /**
   * What begins a transaction. Where each transaction may get another session (a pooler in transaction mode), it also
   * makes the settings, which a session of our own got when it was opened.
   */
  readonly begin: string
  /** Throws if what came back for it says that this is not the server we want. */
  readonly begun: (answers: unknown) => void
  /** After so long without an answer a statement is given up. */
  readonly answerMs: number
  /** A connection is one session for as long as it is open. */
  readonly keepsSession: boolean
}

export interface ConnectionCounts {
  readonly open: number
  readonly idle: number
  /** Those who wait for one. */
  readonly waiting: number
}
