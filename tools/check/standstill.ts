// A shared machine sometimes stands still for seconds. A test that fails then may fail for that reason.
import { monitorEventLoopDelay } from 'node:perf_hooks'

/** On a machine with a free processor, an idle process is never woken later than this. */
const noticedMs = 300

const resolutionMs = 20

export interface Standstill {
  /** The longest time that the machine stood still; undefined if it did not. */
  readonly longestSeconds: () => number | undefined
  readonly end: () => void
}

/** Measured in this process, which must be idle itself. */
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
