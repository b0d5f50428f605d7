import type { PoolClient } from 'pg'
import type { ConnectionPool } from './connection-pool.ts'

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
