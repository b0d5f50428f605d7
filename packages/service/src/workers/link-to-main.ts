// A worker's side of what is said between it and the main process.
import cluster from 'node:cluster'
import process from 'node:process'
import type { MessageToMain, MessageToWorker, StopSignal, WorkerMetrics } from './worker-message.ts'

export interface LinkToMain {
  readonly onStop: (stop: (because: StopSignal) => void) => void
  /** Whenever the main process asks, `read` is what it is told. */
  readonly shareMetrics: (read: (ask: { readonly measureStore: boolean }) => Promise<WorkerMetrics>) => void
}

/** None in a process that is no worker of `serve`; one may be a worker of somebody else's cluster. */
export const linkToMain = (workers: number): LinkToMain | undefined =>
  workers > 1 && cluster.isWorker ? openLink() : undefined

function openLink(): LinkToMain {
  // Connections come through it, so a worker that serves has nothing else to stay for.
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
        // The main process goes on with what it was told last.
        () => {},
      )
    }),
}

const sendToMain = (message: MessageToMain): void => {
  if (process.connected) process.send?.(message, undefined, undefined, () => {})
}
