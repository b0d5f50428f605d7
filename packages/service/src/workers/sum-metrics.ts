// Sums the metrics of all workers, as if they were one process.
import { AggregatorRegistry, type Registry } from 'prom-client'
import type { WorkerMetrics } from './worker-message.ts'

export interface MetricsSum {
  readonly take: (worker: number, metrics: WorkerMetrics) => void
  /**
   * The counts of a worker that has ended stay in the sum: a counter that decreases is taken for a restart, and its whole value
   * for new.
   */
  readonly retire: (worker: number) => void
  readonly sum: () => Registry
}

export function metricsSum(): MetricsSum {
  const latest = new Map<number, WorkerMetrics>()
  let retired: WorkerMetrics = []
  return {
    take: (worker, metrics) => void latest.set(worker, metrics),
    retire: (worker) => {
      const counted = latest.get(worker)?.filter(({ type }) => isCount(type)) ?? []
      latest.delete(worker)
      // The result includes the values, although its type does not mention them.
      retired = AggregatorRegistry.aggregate([retired, counted]).getMetricsAsArray() as WorkerMetrics
    },
    sum: () => AggregatorRegistry.aggregate([retired, ...latest.values()]),
  }
}

/** prom-client declares its types as numbers, but they are strings at run time. */
const isCount = (type: unknown): boolean => type === 'counter' || type === 'histogram'
