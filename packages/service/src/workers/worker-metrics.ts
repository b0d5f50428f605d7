// Asks every worker for its metrics when they are requested, and adds them up as if all were one process.
import cluster, { type Worker } from 'node:cluster'
import { setTimeout as sleep } from 'node:timers/promises'
import { Registry, AggregatorRegistry } from 'prom-client'
import { sendTo } from './keep-workers.ts'
import type { MessageToMain, WorkerMetrics } from './link-to-main.ts'

/** Shorter than the 10 seconds that Prometheus waits. For a worker that takes longer, its last answer is used. */
const mostSecondsToAnswer = 8

export function workerMetrics(alive: () => readonly Worker[]) {
  const latest = new Map<number, WorkerMetrics>()
  // The counts of a worker that has ended stay in the sum: a counter that decreases is taken for a restart, and its whole value for
  // new.
  let retired: WorkerMetrics = []
  const waiting = new Map<string, () => void>()
  let questions = 0

  cluster.on('message', (worker, message: MessageToMain) => {
    if (message.kind !== 'metrics') return
    latest.set(worker.id, message.metrics)
    waiting.get(`${worker.id} ${message.question}`)?.()
  })
  cluster.on('exit', ({ id }) => {
    const counted = latest.get(id)?.filter(({ type }) => isCount(type)) ?? []
    latest.delete(id)
    // The result includes the values, although its type does not mention them.
    retired = AggregatorRegistry.aggregate([retired, counted]).getMetricsAsArray() as WorkerMetrics
  })

  return {
    contentType: Registry.PROMETHEUS_CONTENT_TYPE,
    text: async (): Promise<string> => {
      questions += 1
      const question = questions
      const answers = alive().map(async (worker, index) => {
        const answered = Promise.withResolvers<void>()
        const name = `${worker.id} ${question}`
        waiting.set(name, answered.resolve)
        worker.once('exit', answered.resolve)
        sendTo(worker, { kind: 'ask-metrics', question, measureStore: index === 0 })
        await answered.promise
        worker.off('exit', answered.resolve)
        waiting.delete(name)
      })
      await Promise.race([
        Promise.all(answers),
        sleep(mostSecondsToAnswer * 1_000, undefined, { ref: false }),
      ])
      return AggregatorRegistry.aggregate([retired, ...latest.values()]).metrics()
    },
  }
}

/** prom-client declares its types as numbers, but they are strings at run time. */
const isCount = (type: unknown): boolean => type === 'counter' || type === 'histogram'
