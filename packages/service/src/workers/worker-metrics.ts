// Asks every worker for its metrics when they are requested, and adds them up.
import cluster, { type Worker } from 'node:cluster'
import { setTimeout as sleep } from 'node:timers/promises'
import { Registry } from 'prom-client'
import { tell } from './keep-workers.ts'
import { metricsSum } from './sum-metrics.ts'
import type { MessageToMain } from './worker-message.ts'

/** Shorter than the 10 seconds that Prometheus waits. For a worker that takes longer, its last answer is used. */
const mostSecondsToAnswer = 8

export function workerMetrics(alive: () => readonly Worker[]) {
  const { take, retire, sum } = metricsSum()
  const waiting = new Map<string, () => void>()
  let questions = 0

  cluster.on('message', (worker, message: MessageToMain) => {
    if (message.kind !== 'metrics') return
    take(worker.id, message.metrics)
    waiting.get(`${worker.id} ${message.question}`)?.()
  })
  cluster.on('exit', (worker) => retire(worker.id))

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
        tell(worker, { kind: 'tell-metrics', question, measureStore: index === 0 })
        await answered.promise
        worker.off('exit', answered.resolve)
        waiting.delete(name)
      })
      await Promise.race([
        Promise.all(answers),
        sleep(mostSecondsToAnswer * 1_000, undefined, { ref: false }),
      ])
      return sum().metrics()
    },
  }
}
