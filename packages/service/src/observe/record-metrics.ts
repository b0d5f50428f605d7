import type { Metrics } from './metrics.ts'
import type { Observation, Observe } from './observation.ts'

type Of<Kind extends Observation['kind']> = Extract<Observation, { readonly kind: Kind }>

/**
 * Each kind of observation is either counted here or listed as not counted: a new kind does not compile until it is one of the
 * two.
 */
export const recordMetrics =
  (metrics: Metrics): Observe =>
  (observation) => {
    switch (observation.kind) {
      case 'page-served':
        return recordPage(metrics, observation)
      case 'request-served': {
        const { route, status, seconds } = observation
        return metrics.requestSeconds.observe({ route, status }, seconds)
      }
      case 'request-refused':
        recordReason(metrics, observation)
        return metrics.requestsRefused.inc({ error_name: observation.errorName })
      case 'request-shed':
        metrics.requestsShed.inc({ reason: observation.reason })
        return metrics.requestsFailed.inc({ error_name: observation.errorName })
      case 'request-failed':
        return metrics.requestsFailed.inc({ error_name: observation.errorName })
      case 'answer-compressed':
        metrics.answersCompressed.inc({ coding: observation.coding })
        // A client that refuses anything else may get a few bytes more.
        return metrics.compressionSavedBytes.inc(Math.max(observation.bytes - observation.compressedBytes, 0))
      case 'compression-skipped':
        return metrics.compressionsSkipped.inc()
      case 'subscription-message-sent':
        return metrics.subscriptionMessages.inc({ message: observation.message })
      case 'change-made':
        return recordChange(metrics, observation)
      case 'history-pruned':
        metrics.prunedRows.inc({ table: 'history' }, observation.historyRows)
        return metrics.prunedRows.inc({ table: 'commits' }, observation.commits)
      case 'audit-pruned':
        return metrics.prunedRows.inc({ table: 'audit' }, observation.records)
      case 'pruning-failed':
        return metrics.pruningFailures.inc()
      case 'audit-not-written':
        return metrics.auditWriteFailures.inc()
      case 'audit-records-dropped':
        return metrics.auditRecordsDropped.inc(observation.dropped)
      case 'database-connection-lost':
        return metrics.databaseConnectionsLost.inc()
      case 'replica-asked':
        return metrics.replicaPages.inc({ replica: observation.replica, outcome: observation.outcome })
      case 'replica-failed':
        return metrics.replicaPages.inc({ replica: observation.replica, outcome: 'failed' })
      case 'connections-dropped':
        return metrics.clientConnectionsDropped.inc(observation.dropped)
      case 'certificate-refused':
        return metrics.certificatesRefused.inc()
      case 'spans-dropped':
        return metrics.spansDropped.inc(observation.dropped)
      case 'readiness-gained':
        return metrics.ready.set(1)
      case 'readiness-lost':
      case 'service-stopping':
        return metrics.ready.set(0)
      // A page also has its own observation, which is counted; a single object is counted as a request of its route.
      case 'objects-read':
      // octavo_subscription_sockets shows how many are open.
      case 'socket-opened':
      case 'socket-closed':
      // The request that made the change failed, and is counted as failed.
      case 'change-unknown':
      // Happens to those who sign in, once a minute at most for each network: for the log only.
      case 'guessing-slowed':
      // Happens once in the life of a process, or of a file: for the log only.
      case 'service-listening':
      case 'metrics-listening':
      // Reported by the main process, which has no metrics.
      case 'worker-started':
      case 'worker-ended':
      case 'service-stopped':
      case 'explorer-missing':
      case 'stop-grace-exceeded':
      case 'migration-applied':
      case 'database-migrated':
      case 'certificate-loaded':
      // `octavo doctor` compares the clocks; the log says when and by how much.
      case 'database-clock-ahead':
      // It concerns one type, which the log names, and whose description says that it is being prepared.
      case 'preparing-failed':
      // octavo_database_up shows it, and a counter would change only when the metrics are read.
      case 'measuring-failed':
        return
      default:
        observation satisfies never
    }
  }

function recordPage(metrics: Metrics, { endpoint, mode, objects, bytes, stages }: Of<'page-served'>): void {
  const labels = { endpoint, mode }
  metrics.pages.inc(labels)
  metrics.pageObjects.inc(labels, objects)
  metrics.pageBytes.inc(labels, bytes)
  for (const [stage, milliseconds] of stages) {
    metrics.pageStageSeconds.observe({ stage }, milliseconds / 1_000)
  }
}

function recordReason(metrics: Metrics, { errorName, reason }: Of<'request-refused'>): void {
  if (reason === undefined) return
  const counted = errorName === 'ChangesExpired' ? metrics.changesExpired : metrics.pageTokensRefused
  counted.inc({ reason })
}

function recordChange(metrics: Metrics, change: Of<'change-made'>): void {
  if (change.action !== 'commit') return
  metrics.commits.inc()
  for (const kind of ['created', 'updated', 'deleted'] as const)
    metrics.commitObjects.inc({ change: kind }, change[kind] ?? 0)
}
