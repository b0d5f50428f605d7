import { setTimeout as sleep } from 'node:timers/promises'
import type { PoolClient } from 'pg'
import { cancelQuery } from './cancel-query.ts'

const againMs = 250

/**
 * Cancels the connection's current query until `stop` is called. A server that receives a cancel between two statements silently
 * ignores it, so it is sent repeatedly. `stop` resolves once no cancel is pending: only then may the connection be used for
 * something else.
 */
export function cancelUntilAnswered(client: PoolClient): { readonly stop: () => Promise<void> } {
  const stopped = new AbortController()
  const send = async (): Promise<void> => {
    while (!stopped.signal.aborted) {
      await cancelQuery(client)
      await sleep(againMs, undefined, { ref: false, signal: stopped.signal }).catch(() => {})
    }
  }
  const sending = send()
  return {
    stop: () => {
      stopped.abort()
      return sending
    },
  }
}
