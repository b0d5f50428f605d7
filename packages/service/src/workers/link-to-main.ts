// The worker's side of the messages between it and the main process.
import cluster from 'node:cluster'
import process from 'node:process'
import type { MessageToMain, MessageToWorker, StopSignal, WorkerMetrics } from './worker-message.ts'

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
  return link
}

const link: LinkToMain = {
  onStop: (stop) =>
    process.on('message', (message: MessageToWorker) => {
      if (message.kind === 'stop') stop(message.because)
    }),
  shareMetrics: (read) =>
    process.on('message', (message: MessageToWorker) => {
      if (message.kind !== 'tell-metrics') return
      const { question, measureStore } = message
      read({ measureStore }).then(
        (metrics) => sendToMain({ kind: 'metrics', question, metrics }),
        // The main process keeps using the last answer.
        () => {},
      )
    }),
}

const sendToMain = (message: MessageToMain): void => {
  if (process.connected) process.send?.(message, undefined, undefined, () => {})
}
