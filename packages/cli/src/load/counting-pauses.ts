import { setTimeout as sleep } from 'node:timers/promises'
import type { RetryTimes } from '../connection/retrying.ts'

/**
 * A clock that runs only during the pauses between attempts: a request that takes long because its body is large must not
 * use up the time for retries.
 */
export function countingPauses(): RetryTimes {
  let paused = 0
  return {
    now: () => paused,
    wait: async (milliseconds, signal) => {
      await sleep(milliseconds, undefined, { signal })
      paused += milliseconds
    },
  }
}
