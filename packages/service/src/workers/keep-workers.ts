// The main process of several workers: it starts them, replaces those that die, and stops them. It serves no requests itself.
import cluster, { type Worker } from 'node:cluster'
import type { Observe } from '../observe/observation.ts'
import type { MessageToWorker, StopSignal } from './link-to-main.ts'

export type WorkersEnd =
  { readonly kind: 'stopped' } | { readonly kind: 'not-stopped-well' } | { readonly kind: 'cannot-start' }

export interface Workers {
  /** In the order in which they were started. */
  readonly alive: () => readonly Worker[]
  readonly stop: (signal: StopSignal) => void
  /** Kills the workers that are still running after their grace period. */
  readonly kill: () => void
  readonly ended: Promise<WorkersEnd>
}

/** Applies while no worker is serving. While others are, starts are retried for ever. */
const mostFailedStarts = 5

export function keepWorkers(count: number, observe: Observe): Workers {
  // Advanced serialisation, because metrics contain NaN and JSON has none.
  cluster.setupPrimary({ serialization: 'advanced' })
  const alive = new Set<Worker>()
  const serving = new Set<Worker>()
  const ended = Promise.withResolvers<WorkersEnd>()
  let stopping: StopSignal | undefined
  let stoppedWell = true
  let everServed = false

  const keepOne = (quickDeaths: number): void => {
    if (stopping !== undefined) return
    const worker = cluster.fork()
    const pid = worker.process.pid ?? 0
    alive.add(worker)
    let servedSince = Number.POSITIVE_INFINITY
    worker.once('listening', () => {
      servedSince = performance.now()
      serving.add(worker)
      observe({ kind: 'worker-started', worker: pid })
      // The other workers are started only now: whatever keeps one from starting keeps all from it, and must be reported only
      // once.
      if (!everServed) for (let started = 1; started < count; started += 1) keepOne(0)
      everServed = true
    })
    worker.once('exit', (code: number | null, signal: string | null) => {
      alive.delete(worker)
      serving.delete(worker)
      if (stopping !== undefined) {
        stoppedWell &&= code === 0
        if (alive.size === 0) ended.resolve({ kind: stoppedWell ? 'stopped' : 'not-stopped-well' })
        return
      }
      const settled = performance.now() - servedSince >= settledAfterSeconds * 1_000
      const inARow = settled ? 0 : quickDeaths + 1
      if (!everServed || (serving.size === 0 && inARow >= mostFailedStarts)) {
        stopping = 'SIGTERM'
        ended.resolve({ kind: 'cannot-start' })
        for (const other of alive) other.process.kill('SIGKILL')
        return
      }
      const againInSeconds = pauseBeforeStart(inARow)
      observe({ kind: 'worker-ended', worker: pid, because: signal ?? `exit code ${code}`, againInSeconds })
      setTimeout(keepOne, againInSeconds * 1_000, inARow)
    })
  }
  keepOne(0)

  return {
    alive: () => [...alive],
    stop: (signal) => {
      stopping = signal
      for (const worker of alive) sendTo(worker, { kind: 'stop', because: signal })
      if (alive.size === 0) ended.resolve({ kind: 'stopped' })
    },
    kill: () => {
      for (const worker of alive) worker.process.kill('SIGKILL')
    },
    ended: ended.promise,
  }
}

/** A worker that has just died cannot receive a message, and its end is handled elsewhere. */
export function sendTo(worker: Worker, message: MessageToWorker): void {
  if (worker.isConnected()) worker.send(message, () => {})
}

/** A worker that served for this long did not die because of how it was started. */
const settledAfterSeconds = 10

const mostSeconds = 30

/** Zero the first time: one death may be an accident. Then it doubles each time, up to half a minute. */
export const pauseBeforeStart = (quickDeathsInARow: number): number =>
  quickDeathsInARow <= 1 ? 0 : Math.min(mostSeconds, 2 ** (quickDeathsInARow - 2))
