import type { PoolClient } from 'pg'
import type { ConnectionPool } from './connection-pool.ts'

/** Says that a connection must not be used again, and why. */
export type Discard = (error: Error) => void

/** Work on one connection. If its connection broke, or its transaction could not be ended, the connection is closed afterwards. */
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
