// Stops a service: first it reports that it is not ready, then it accepts no more requests, then it ends.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Service } from './build-service.ts'
import type { ServeOptions } from './config/options.ts'
import type { Observe } from './observe/observation.ts'
import type { StopSignal } from './workers/link-to-main.ts'

export type StopTimes = Pick<ServeOptions, 'stopDelaySeconds' | 'stopGraceSeconds'>

/** A user who presses Ctrl-C has no load balancer in front. */
export const delayBefore = ({ stopDelaySeconds }: StopTimes, because: StopSignal): number =>
  because === 'SIGTERM' ? stopDelaySeconds : 0

/** Returns whether everything in progress was finished in time. */
export async function stopService(
  service: Service,
  times: StopTimes,
  because: StopSignal,
  observe: Observe,
): Promise<boolean> {
  const graceSeconds = times.stopGraceSeconds
  const delaySeconds = delayBefore(times, because)
  observe({ kind: 'service-stopping', because, delaySeconds, graceSeconds })
  service.announceStop()
  await sleep(delaySeconds * 1_000)
  const closed = service.close().then(() => true)
  const graceOver = sleep(graceSeconds * 1_000).then(() => {
    observe({ kind: 'stop-grace-exceeded', graceSeconds })
    return false
  })
  return Promise.race([closed, graceOver])
}
