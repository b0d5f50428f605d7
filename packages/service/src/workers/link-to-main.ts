// The messages between the main process and its workers, and the side of them that a worker has.
import cluster from 'node:cluster'
import process from 'node:process'
import type { Registry } from 'prom-client'

export type WorkerMetrics = Awaited<ReturnType<Registry['getMetricsAsJSON']>>

export type StopSignal = 'SIGTERM' | 'SIGINT'

export type MessageToWorker =
  | { readonly kind: 'stop'; readonly because: StopSignal }
  | { readonly kind: 'ask-metrics'; readonly question: number; readonly measureStore: boolean }

export type MessageToMain = {
  readonly kind: 'metrics'
  readonly question: number
  readonly metrics: WorkerMetrics
}

export interface LinkToMain {
  readonly onStop: (stop: (because: StopSignal) => void) => void
  /** Registers `read`, which is called whenever the main process asks for the metrics. */
  readonly shareMetrics: (read: (ask: { readonly measureStore: boolean }) => Promise<WorkerMetrics>) => void
}

/** Undefined in a process that is not a worker of `serve`; the process may be a worker of another program's cluster. */
export const linkToMain = (workers: number): LinkToMain | undefined =>
  workers > 1 && cluster.isWorker ? openLink() : undefined

function openLink(): LinkToMain {
  // Connections come through the channel, so nothing else keeps the process of a serving worker alive.
  process.channel?.ref()
  return {
    onStop: (stop) =>
      process.on('message', (message: MessageToWorker) => {
        if (message.kind === 'stop') stop(message.because)
      }),
    shareMetrics: (read) =>
      process.on('message', (message: MessageToWorker) => {
        if (message.kind !== 'ask-metrics') return
        const { question, measureStore } = message
        read({ measureStore }).then(
          (metrics) => sendToMain({ kind: 'metrics', question, metrics }),
          // The main process keeps using the last answer.
          () => {},
        )
      }),
  }
}

const sendToMain = (message: MessageToMain): void => {
  if (process.connected) process.send?.(message, undefined, undefined, () => {})
}
