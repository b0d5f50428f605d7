import type { PoolClient } from 'pg'
import type { Soon } from '../memory/soon.ts'

/** Where connections to one database come from. */
export interface ConnectionPool {
  readonly connect: () => Soon<PoolClient>
  /** With an error its connection is closed; where a server did not answer, all that are open are replaced before they are used again. */
  readonly release: (client: PoolClient, error?: Error) => void
  /** For a quick statement: others may wait for their answers on the same connection. */
  readonly share: () => Soon<PoolClient>
  /** It was answered, whether or not somebody still waited for it; with an error its connection is closed. */
  readonly unshare: (client: PoolClient, answered: AnsweredStatement) => void
  /** Nobody waits for a statement any more. Whether that is so for all on its connection; none comes until they are answered. */
  readonly leave: (client: PoolClient) => boolean
  /** Whether there are statements on it, and nobody waits for one of them. */
  readonly isLeft: (client: PoolClient) => boolean
  /** Asks the server to stop what a connection is doing, until it is given back. Nobody gets it before that is through: it would stop them. */
  readonly cancel: (client: PoolClient) => void
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

interface AnsweredStatement {
  readonly wasWanted: boolean
  readonly error?: Error | undefined
}

export interface ConnectionCounts {
  readonly open: number
  readonly idle: number
  /** Those who wait for one. */
  readonly waiting: number
}
