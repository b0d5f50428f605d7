// What the service says about itself, and who hears it besides the log: metrics and traces, where they are asked for.
import type { ServeOptions } from './config/options.ts'
import type { CheckReadiness } from './health/check-readiness.ts'
import { storeMeasures } from './measure/measure-store.ts'
import { showConnections, showStore } from './measure/show-measures.ts'
import { createMetrics, type Metrics } from './observe/metrics.ts'
import { metricsListener, type MetricsListener } from './observe/metrics-listener.ts'
import type { Observe } from './observe/observation.ts'
import { recordMetrics } from './observe/record-metrics.ts'
import { traceRequests } from './observe/trace-requests.ts'
import type { Store } from './open-store.ts'

type TelemetryOptions = Pick<
  ServeOptions,
  'metricsPort' | 'metricsHost' | 'otlpUrl' | 'databasePoolSize' | 'snapshotRetentionSeconds'
>

/** What is looked at when somebody asks for the metrics. */
interface Measured {
  readonly store: Pick<Store, 'catalog' | 'database'>
  readonly checkReadiness: CheckReadiness
}

interface TelemetrySources {
  readonly log: Observe
  readonly randomHex: (digits: number) => string
}

export interface Telemetry {
  readonly observe: Observe
  readonly listen: (measured: Measured) => Promise<void>
  readonly close: () => Promise<void>
}

export function openTelemetry(options: TelemetryOptions, { log, randomHex }: TelemetrySources): Telemetry {
  const hears: Observe[] = [log]
  const observe: Observe = (observation) => {
    for (const hear of hears) hear(observation)
  }

  const metrics = options.metricsPort === 'off' ? undefined : createMetrics()
  metrics?.poolSize.set(options.databasePoolSize)
  metrics?.snapshotRetentionSeconds.set(options.snapshotRetentionSeconds)
  if (metrics !== undefined) hears.push(recordMetrics(metrics))

  const traces =
    options.otlpUrl === ''
      ? undefined
      : traceRequests({
          url: options.otlpUrl,
          now: () => performance.timeOrigin + performance.now(),
          randomHex,
          observe,
        })
  if (traces !== undefined) hears.push(traces.record)

  let listener: MetricsListener | undefined
  return {
    observe,
    listen: async (measured) => {
      if (metrics === undefined || options.metricsPort === 'off') return
      listener = metricsListener(metricsPage(metrics, measured, observe))
      const address = await listener.listen(options.metricsHost, options.metricsPort).catch(refusePort)
      observe({ kind: 'metrics-listening', address })
    },
    close: async () => {
      await listener?.close()
      await traces?.close()
    },
  }
}

const refusePort = (cause: Error): never => {
  throw new Error(`the metrics: ${cause.message}; set another metrics-port or metrics-host`, { cause })
}

function metricsPage(metrics: Metrics, { store, checkReadiness }: Measured, observe: Observe) {
  const measure = storeMeasures({
    store,
    now: () => new Date(),
    elapsed: () => performance.now(),
    observe,
  })
  return {
    contentType: metrics.registry.contentType,
    text: async () => {
      // Its outcome is observed, and so counted.
      const [measured] = await Promise.all([measure(), checkReadiness()])
      showStore(metrics, measured)
      showConnections(metrics, store.database.connections())
      return metrics.registry.metrics()
    },
  }
}
