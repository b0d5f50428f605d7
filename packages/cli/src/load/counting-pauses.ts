import { setTimeout as sleep } from 'node:timers/promises'
import type { RetryTimes } from '../connection/retrying.ts'

/**
 * A clock that stands still while an attempt is under way: a request that is long because its body is must not use up
 * the time that is meant for trying again.
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
