import { expect, it } from 'vitest'
import { readMetrics } from '../../test/support/read-metrics.ts'
import { createMetrics } from './metrics.ts'
import type { Observation } from './observation.ts'
import { recordMetrics } from './record-metrics.ts'

const recorded = async (...observations: readonly Observation[]) => {
  const metrics = createMetrics()
  for (const observation of observations) recordMetrics(metrics)(observation)
  return readMetrics(await metrics.registry.metrics())
}

const error = new Error('why')
const refused = (errorName: string, reason: string): Observation => ({
  kind: 'request-refused',
  errorName,
  reason,
  errorInstanceId: '1',
  requestId: 'r',
})

it.for<readonly [Observation, string, number]>([
  [{ kind: 'history-pruned', historyRows: 7, commits: 2 }, 'octavo_pruned_rows_total', 9],
  [{ kind: 'audit-pruned', records: 4 }, 'octavo_pruned_rows_total', 4],
  [{ kind: 'pruning-failed', error }, 'octavo_pruning_failures_total', 1],
  [{ kind: 'audit-not-written', waiting: 3, error }, 'octavo_audit_write_failures_total', 1],
  [{ kind: 'audit-records-dropped', dropped: 5 }, 'octavo_audit_records_dropped_total', 5],
  [{ kind: 'database-connection-lost', error }, 'octavo_database_connections_lost_total', 1],
  [{ kind: 'connections-dropped', dropped: 6, maximum: 9 }, 'octavo_client_connections_dropped_total', 6],
  [{ kind: 'certificate-refused', file: 'tls.crt', error }, 'octavo_certificates_refused_total', 1],
  [{ kind: 'spans-dropped', dropped: 8 }, 'octavo_spans_dropped_total', 8],
  [{ kind: 'readiness-gained' }, 'octavo_ready', 1],
  [
    { kind: 'subscription-message-sent', message: 'refreshObjectSet' },
    'octavo_subscription_messages_total',
    1,
  ],
  [{ kind: 'replica-asked', replica: 'r1', outcome: 'read' }, 'octavo_replica_pages_total', 1],
  [{ kind: 'replica-failed', replica: 'r1', error }, 'octavo_replica_pages_total', 1],
  [
    { kind: 'request-failed', errorName: 'Overloaded', errorInstanceId: '1', requestId: 'r', error },
    'octavo_requests_failed_total',
    1,
  ],
  [refused('ChangesExpired', 'tooOld'), 'octavo_changes_expired_total', 1],
  [refused('InvalidPageToken', 'malformed'), 'octavo_page_tokens_refused_total', 1],
  [refused('InvalidPageToken', 'malformed'), 'octavo_changes_expired_total', 0],
  [refused('ChangesExpired', 'tooOld'), 'octavo_page_tokens_refused_total', 0],
])('%j moves its metric', async ([observation, name, value]) => {
  expect((await recorded()).value(name)).toBe(0)
  expect((await recorded(observation)).value(name)).toBe(value)
})

it('a process that stops is no longer ready', async () => {
  const stopping = {
    kind: 'service-stopping',
    because: 'SIGTERM',
    delaySeconds: 5,
    graceSeconds: 10,
  } as const
  expect((await recorded({ kind: 'readiness-gained' }, stopping)).value('octavo_ready')).toBe(0)
})
