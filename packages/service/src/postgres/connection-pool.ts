import type { PoolClient } from 'pg'

/** A pool of connections to one database. */
export interface ConnectionPool {
  readonly connect: () => Promise<PoolClient>
  /**
   * With an error, the connection is closed. If the error is that a server did not answer, all open connections are replaced
   * before they are used again.
   */
  readonly release: (client: PoolClient, error?: Error) => void
  /** Closes one idle connection, if there is one. */
  readonly closeIdle: () => Promise<void>
  /** Whether the last connection that was opened led to a node of a Citus cluster. */
  readonly isCitus: () => boolean
  /** The listener is called when a connection leads to another timeline than the connections before it. */
  readonly onNewTimeline: (listener: () => void) => void
  readonly counts: () => ConnectionCounts
  readonly end: () => Promise<void>
  /**
   * The text that begins a transaction. Where each transaction may get another session (a pooler in transaction mode), it also
   * applies the settings, which a session of our own gets when it is opened.
   */
  readonly begin: string
  /** Throws if the answers to `begin` say that this is not the server we want. */
  readonly begun: (answers: unknown) => void
  /** The time-out after which a statement without an answer is abandoned. */
  readonly answerMs: number
  /** Whether a connection is one session for as long as it is open. */
  readonly keepsSession: boolean
}

export interface ConnectionCounts {
  readonly open: number
  readonly idle: number
  /** The number of requests that wait for a connection. */
  readonly waiting: number
}

/** Marks a connection as not to be used again, with the reason. */
export type Discard = (error: Error) => void

/**
 * Runs work on one connection. If the connection broke, or its transaction could not be ended, the connection is closed
 * afterwards.
 */
export async function withClient<T>(
  pool: ConnectionPool,
  work: (client: PoolClient, discard: Discard) => Promise<T>,
): Promise<T> {
  const client = await pool.connect()
  let broken: Error | undefined
  const discard: Discard = (error) => {
    broken = error
  }
  try {
    return await work(client, discard)
  } finally {
    pool.release(client, broken)
  }
}
