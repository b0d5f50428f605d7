// What the service reports about itself, and where it goes besides the log: metrics and traces, if they are configured.
import type { Admission } from './guard/admit/admission.ts'
import type { ServeOptions } from './config/options.ts'
import type { CheckReadiness } from './http/health/check-readiness.ts'
import type { Wing } from './http/wing.ts'
import { storeMeasures } from './upkeep/measure/measure-store.ts'
import type { ClockWatch } from './read/wait/clock-watch.ts'
import { showAdmission, showConnections, showNodes, showStore } from './upkeep/measure/show-measures.ts'
import { createMetrics, type Metrics } from './observe/metrics.ts'
import { metricsListener, type MetricsListener } from './observe/metrics-listener.ts'
import type { Observe } from './observe/observation.ts'
import { recordMetrics } from './observe/record-metrics.ts'
import { traceRequests } from './observe/trace-requests.ts'
import type { Store } from './open-store.ts'
import type { LinkToMain } from './workers/link-to-main.ts'

type TelemetryOptions = Pick<
  ServeOptions,
  'metricsPort' | 'metricsHost' | 'otlpUrl' | 'databasePoolSize' | 'snapshotRetentionSeconds'
>

/** What is measured when the metrics are requested. */
interface Measured {
  readonly store: Pick<Store, 'catalog' | 'database'>
  readonly admission: Pick<Admission, 'counts'>
  readonly watch: Pick<ClockWatch, 'waiting'>
  readonly wings: readonly Pick<Wing, 'subscribed'>[]
  readonly checkReadiness: CheckReadiness
}

interface TelemetrySources {
  readonly log: Observe
  readonly randomHex: (digits: number) => string
  /** Set in a worker: the main process has the port, and adds up the metrics of its workers. */
  readonly shareMetrics?: LinkToMain['shareMetrics'] | undefined
}

export interface Telemetry {
  readonly observe: Observe
  readonly listen: (measured: Measured) => Promise<void>
  readonly close: () => Promise<void>
}

export function buildTelemetry(
  options: TelemetryOptions,
  { log, randomHex, shareMetrics }: TelemetrySources,
): Telemetry {
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
      const look = lookingAt(metrics, measured, observe)
      const { registry } = metrics
      if (shareMetrics !== undefined) {
        shareMetrics(async (ask) => {
          await look(ask)
          return registry.getMetricsAsJSON()
        })
        return
      }
      listener = metricsListener({
        contentType: registry.contentType,
        text: async () => {
          await look({ measureStore: true })
          return registry.metrics()
        },
      })
      const address = await listener.listen(options.metricsHost, options.metricsPort).catch(refuseMetricsPort)
      observe({ kind: 'metrics-listening', address })
    },
    close: async () => {
      await listener?.close()
      await traces?.close()
    },
  }
}

export const refuseMetricsPort = (cause: Error): never => {
  throw new Error(`cannot serve metrics: ${cause.message}; choose another metrics-port or metrics-host`, {
    cause,
  })
}

/** Measures what is not counted as it happens, when the metrics are requested. */
function lookingAt(
  metrics: Metrics,
  { store, admission, watch, wings, checkReadiness }: Measured,
  observe: Observe,
) {
  const measure = storeMeasures({
    store,
    elapsed: () => performance.now(),
    observe,
  })
  return async ({ measureStore }: { readonly measureStore: boolean }): Promise<void> => {
    // The outcome of the readiness check is observed, and so counted.
    const [measured] = await Promise.all([measureStore ? measure() : undefined, checkReadiness()])
    if (measured !== undefined) showStore(metrics, measured)
    showConnections(metrics, store.database.connections())
    showNodes(metrics, store.database.nodes())
    showAdmission(metrics, admission.counts())
    metrics.requestsForChanges.set(watch.waiting())
    const subscribed = wings.flatMap((wing) => wing.subscribed?.() ?? [])
    metrics.subscriptionSockets.set(subscribed.reduce((sum, { sockets }) => sum + sockets, 0))
    metrics.subscriptions.set(subscribed.reduce((sum, { subscriptions }) => sum + subscriptions, 0))
  }
}
