// A machine that others use as well stands still at times, for seconds. What fails then fails for that reason, perhaps.
import { monitorEventLoopDelay } from 'node:perf_hooks'

/** Whoever only waits is woken later than this on no machine that has a processor to give. */
const noticedMs = 300

const resolutionMs = 20

export interface Standstill {
  /** How long the machine stood still at most; nothing if it did not. */
  readonly longestSeconds: () => number | undefined
  readonly end: () => void
}

/** Seen from this process, which must have nothing to do itself. */
export function watchForStandstill(): Standstill {
  const delays = monitorEventLoopDelay({ resolution: resolutionMs })
  delays.enable()
  return {
    longestSeconds: () => {
      const ms = delays.max / 1e6 - resolutionMs
      return ms > noticedMs ? ms / 1_000 : undefined
    },
    end: () => void delays.disable(),
  }
}
