// The metrics of all workers as those of one process.
import { AggregatorRegistry, type Registry } from 'prom-client'
import type { WorkerMetrics } from './worker-message.ts'

export interface MetricsSum {
  readonly take: (worker: number, metrics: WorkerMetrics) => void
  /** What it has counted stays in the sum: one that falls is taken for a restart, and all of it for new. */
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
      // With their values, although their type says nothing of them.
      retired = AggregatorRegistry.aggregate([retired, counted]).getMetricsAsArray() as WorkerMetrics
    },
    sum: () => AggregatorRegistry.aggregate([retired, ...latest.values()]),
  }
}

/** prom-client declares its types as numbers and writes them as words. */
const isCount = (type: unknown): boolean => type === 'counter' || type === 'histogram'
