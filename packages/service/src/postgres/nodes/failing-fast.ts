import type { ConnectionPool } from '../connection-pool.ts'

const tryAgainAfterMs = 1_000

const failures = new WeakSet<object>()

/** Whether the error is that a node could not be connected to: nothing was sent. */
export const isUnreached = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && failures.has(error)

/**
 * While a node cannot be reached, one request at a time tries it; the others fail at once. Without this, every request for a
 * machine that is gone would hold a connection of the budget until its time-out.
 */
export function failingFast(
  pool: ConnectionPool,
  elapsed: () => number,
): ConnectionPool & { readonly isReachable: () => boolean } {
  let failed: { readonly error: unknown; readonly at: number } | undefined
  let isTrying = false

  return {
    ...pool,
    isReachable: () => failed === undefined,
    connect: async () => {
      if (failed === undefined) return attempt()
      if (isTrying || elapsed() - failed.at < tryAgainAfterMs) throw failed.error
      isTrying = true
      try {
        return await attempt()
      } finally {
        isTrying = false
      }
    },
  }

  async function attempt() {
    try {
      const client = await pool.connect()
      failed = undefined
      return client
    } catch (error) {
      if (error instanceof Error) failures.add(error)
      failed = { error, at: elapsed() }
      throw error
    }
  }
}
