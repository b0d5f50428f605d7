import { expect, it } from 'vitest'
import { createMetrics, type Metrics } from '../../observe/metrics.ts'
import { readMetrics } from '../../../test/support/read-metrics.ts'
import { showConnections, showStore } from './show-measures.ts'

const shown = async (show: (metrics: Metrics) => void) => {
  const metrics = createMetrics()
  show(metrics)
  return readMetrics(await metrics.registry.metrics())
}

it('tells used and idle connections apart, and what waits for one', async () => {
  const metrics = await shown((all) => showConnections(all, { open: 7, idle: 2, waiting: 3 }))
  expect(metrics.value('octavo_pool_connections', { state: 'used' })).toBe(5)
  expect(metrics.value('octavo_pool_connections', { state: 'idle' })).toBe(2)
  expect(metrics.value('octavo_pool_waiting')).toBe(3)
})

it('tells how far each replica is behind, and nothing of it once the database does not answer', async () => {
  const measured = {
    kind: 'measured',
    ontologies: 2,
    types: [],
    replicas: [
      { name: 'r1', lagSeconds: 4 },
      { name: 'r2', lagSeconds: 0.5 },
    ],
  } as const
  const metrics = await shown((all) => showStore(all, measured))
  expect(metrics.value('octavo_replica_lag_seconds', { replica: 'r1' })).toBe(4)
  expect(metrics.value('octavo_replica_lag_seconds', { replica: 'r2' })).toBe(0.5)
  expect(metrics.value('octavo_database_up')).toBe(1)
  const lost = await shown((all) => {
    showStore(all, measured)
    showStore(all, { kind: 'failed' })
  })
  expect(lost.samples.filter(({ name }) => name === 'octavo_replica_lag_seconds')).toEqual([])
  expect(lost.value('octavo_database_up')).toBe(0)
})
