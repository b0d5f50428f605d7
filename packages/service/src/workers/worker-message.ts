// The messages between the main process and its workers.
import type { Registry } from 'prom-client'

export type WorkerMetrics = Awaited<ReturnType<Registry['getMetricsAsJSON']>>

export type StopSignal = 'SIGTERM' | 'SIGINT'

export type MessageToWorker =
  | { readonly kind: 'stop'; readonly because: StopSignal }
  | { readonly kind: 'tell-metrics'; readonly question: number; readonly measureStore: boolean }

export type MessageToMain = {
  readonly kind: 'metrics'
  readonly question: number
  readonly metrics: WorkerMetrics
}
