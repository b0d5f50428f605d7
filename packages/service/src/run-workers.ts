// `serve` with several workers: the process that starts them, and that has the one port for the metrics of all.
import type { ServeOptions } from './config/options.ts'
import { metricsListener } from './observe/metrics-listener.ts'
import type { Observe } from './observe/observation.ts'
import { refuseMetricsPort } from './build-telemetry.ts'
import { delayBefore } from './stop-service.ts'
import { keepWorkers, type WorkersEnd } from './workers/keep-workers.ts'
import type { StopSignal } from './workers/link-to-main.ts'
import { workerMetrics } from './workers/worker-metrics.ts'

export interface RunningWorkers {
  readonly stop: (because: StopSignal) => void
  readonly ended: Promise<WorkersEnd>
}

/** Each worker enforces its own grace period, and ends at most a little later. */
const secondsToEndByThemselves = 2

export async function runWorkers(options: ServeOptions, observe: Observe): Promise<RunningWorkers> {
  let alive: ReturnType<typeof keepWorkers>['alive'] = () => []
  // Opened before the first worker starts: if the port is taken, the process ends before anything is served.
  const closeMetrics = await openMetrics(options, () => alive(), observe)
  const workers = keepWorkers(options.workers, observe)
  alive = workers.alive
  return {
    stop: (because) => {
      const graceSeconds = options.stopGraceSeconds
      const delaySeconds = delayBefore(options, because)
      observe({ kind: 'service-stopping', because, delaySeconds, graceSeconds })
      workers.stop(because)
      const mostSeconds = delaySeconds + graceSeconds + secondsToEndByThemselves
      setTimeout(() => {
        observe({ kind: 'stop-grace-exceeded', graceSeconds })
        workers.kill()
      }, mostSeconds * 1_000).unref()
    },
    ended: workers.ended.then(async (end) => {
      await closeMetrics()
      if (end.kind === 'stopped') observe({ kind: 'service-stopped' })
      return end
    }),
  }
}

async function openMetrics(
  { metricsHost, metricsPort }: ServeOptions,
  alive: Parameters<typeof workerMetrics>[0],
  observe: Observe,
): Promise<() => Promise<void>> {
  if (metricsPort === 'off') return async () => {}
  const listener = metricsListener(workerMetrics(alive))
  const address = await listener.listen(metricsHost, metricsPort).catch(refuseMetricsPort)
  observe({ kind: 'metrics-listening', address })
  return listener.close
}
