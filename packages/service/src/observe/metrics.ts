// Every metric of the service; docs/reference/metrics.md is made from this file. A label has few values, all of them known from
// the code or from the definitions: never a subject, a token, a filter value or an object.
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry, type Aggregator } from 'prom-client'

const requestSeconds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]
const stageSeconds = [0.0001, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5, 30]

const ofPage = ['endpoint', 'mode'] as const
const ofType = ['ontology', 'object_type'] as const

export type Metrics = ReturnType<typeof createMetrics>

export function createMetrics() {
  const registry = new Registry()
  const registers = [registry]
  const counter = (name: string, help: string) => new Counter({ name, help, registers })
  const gauge = (name: string, help: string, aggregator: Aggregator = 'sum') =>
    new Gauge({ name, help, registers, aggregator })
  const countBy = <Label extends string>(labelNames: readonly Label[], name: string, help: string) =>
    new Counter({ name, help, labelNames, registers })
  const gaugeBy = <Label extends string>(
    labelNames: readonly Label[],
    name: string,
    help: string,
    aggregator: Aggregator = 'sum',
  ) => new Gauge({ name, help, labelNames, registers, aggregator })
  // Only one of several workers measures the store; these gauges are absent or 0 in the others.
  const ofOneWorker: Aggregator = 'max'

  collectDefaultMetrics({ register: registry })
  return {
    registry,

    pages: countBy(ofPage, 'octavo_pages_total', 'Pages of objects that were served.'),
    pageObjects: countBy(ofPage, 'octavo_page_objects_total', 'Objects in those pages.'),
    pageBytes: countBy(ofPage, 'octavo_page_bytes_total', 'Bytes of those pages, before compression.'),
    pageStageSeconds: new Histogram({
      name: 'octavo_page_stage_seconds',
      help: 'How long the stages of a page took; the stages are those of Server-Timing.',
      labelNames: ['stage'],
      buckets: stageSeconds,
      registers,
    }),
    answersCompressed: countBy(
      ['coding'],
      'octavo_answers_compressed_total',
      'Answers that were compressed, by coding.',
    ),
    compressionSavedBytes: counter(
      'octavo_compression_saved_bytes_total',
      'Bytes that were not sent because those answers were compressed.',
    ),
    compressionsSkipped: counter(
      'octavo_compressions_skipped_total',
      'Answers that were sent uncompressed because this process was already compressing as many as it may.',
    ),
    requestSeconds: new Histogram({
      name: 'octavo_request_seconds',
      help: 'How long requests took, from the first byte to the end of the answer; health checks are left out.',
      labelNames: ['route', 'status'],
      buckets: requestSeconds,
      registers,
    }),
    requestsRefused: countBy(
      ['error_name'],
      'octavo_requests_refused_total',
      'Requests that were refused because of the request (4xx), by the name of the error.',
    ),
    requestsFailed: countBy(
      ['error_name'],
      'octavo_requests_failed_total',
      'Requests that failed because of the service (5xx), by the name of the error.',
    ),
    requestsShed: countBy(
      ['reason'],
      'octavo_requests_shed_total',
      'Requests that were refused because of overload: queue full, waited too long, no memory for pages, event loop late.',
    ),
    requestsUnderWay: gaugeBy(
      ['state'],
      'octavo_requests_under_way',
      'Requests for pages and objects that are being served or wait in the queue for the database.',
    ),
    requestsForChanges: gauge(
      'octavo_requests_waiting_for_changes',
      'Requests and subscriptions that wait for the next change of a type.',
    ),
    subscriptionSockets: gauge('octavo_subscription_sockets', 'Connections that are open for subscriptions.'),
    subscriptions: gauge('octavo_subscriptions', 'Subscriptions of these connections.'),
    subscriptionMessages: countBy(
      ['message'],
      'octavo_subscription_messages_total',
      'Messages that were sent to subscribers, by type. Many refreshObjectSet mean large changes or slow readers.',
    ),
    pageRoomBytes: gauge(
      'octavo_page_room_bytes',
      'Memory that is reserved for pages that are being read or sent.',
    ),
    pageTokensRefused: countBy(
      ['reason'],
      'octavo_page_tokens_refused_total',
      'Page tokens that were refused, by reason.',
    ),
    changesExpired: fromZero(
      countBy(
        ['reason'],
        'octavo_changes_expired_total',
        'Requests for changes that are no longer known, by reason: tooOld, historyChanged, accessChanged.',
      ),
      ['tooOld', 'historyChanged', 'accessChanged'].map((reason) => ({ reason })),
    ),

    commits: counter('octavo_commits_total', 'Commits that were acknowledged by this process.'),
    commitObjects: countBy(
      ['change'],
      'octavo_commit_objects_total',
      'Objects that those commits created, updated or deleted.',
    ),

    ready: gauge('octavo_ready', '1 if the process can serve, as /health/ready says, 0 if not.', 'min'),
    poolConnections: gaugeBy(
      ['state'],
      'octavo_pool_connections',
      'Connections of this process to the database that are in use or idle.',
    ),
    poolWaiting: gauge('octavo_pool_waiting', 'Callers in this process that wait for a database connection.'),
    poolSize: gauge(
      'octavo_pool_size',
      'The maximum number of connections that this process opens (database-pool-size).',
    ),
    nodeUp: gaugeBy(
      ['node'],
      'octavo_node_up',
      'On a Citus cluster: 1 if this process could connect to the node when it last tried, 0 if not.',
      'min',
    ),
    nodeConnections: gaugeBy(
      ['node', 'state'],
      'octavo_node_connections',
      'On a Citus cluster: connections of this process to each node besides the coordinator, in use or idle.',
    ),
    databaseConnectionsLost: counter(
      'octavo_database_connections_lost_total',
      'Idle connections to the database that broke.',
    ),
    replicaPages: countBy(
      ['replica', 'outcome'],
      'octavo_replica_pages_total',
      'Pages of snapshots that a replica was asked for: read from it, or from the primary because it was behind or failed.',
    ),
    clientConnectionsDropped: counter(
      'octavo_client_connections_dropped_total',
      'Connections of clients that were closed at once because there were too many (max-connections).',
    ),
    certificatesRefused: counter(
      'octavo_certificates_refused_total',
      'New certificates that were not used because they do not work.',
    ),

    spansDropped: counter(
      'octavo_spans_dropped_total',
      'Trace spans that could not be sent to the collector (otlp-url).',
    ),

    prunedRows: countBy(
      ['table'],
      'octavo_pruned_rows_total',
      'Rows that this process deleted because no request can need them any more.',
    ),
    pruningFailures: counter('octavo_pruning_failures_total', 'Rounds of pruning that failed.'),
    auditWriteFailures: counter(
      'octavo_audit_write_failures_total',
      'How often audit records could not be written; the service tries again.',
    ),
    auditRecordsDropped: counter(
      'octavo_audit_records_dropped_total',
      'Audit records that are missing from the audit table because too many were waiting; the log has them.',
    ),

    databaseUp: gauge(
      'octavo_database_up',
      '1 if the database answered when it was last measured, 0 if it did not.',
      ofOneWorker,
    ),
    snapshotRetentionSeconds: gauge(
      'octavo_snapshot_retention_seconds',
      'How long snapshots are kept (snapshot-retention-seconds).',
      ofOneWorker,
    ),
    ontologies: gauge(
      'octavo_ontologies',
      'The number of ontologies; only some of them are measured.',
      ofOneWorker,
    ),
    liveObjects: gaugeBy(ofType, 'octavo_live_objects', 'Objects of a type.', ofOneWorker),
    floorLagVersions: gaugeBy(
      ofType,
      'octavo_floor_lag_versions',
      'Versions of a type from the oldest that can still be read to the latest.',
      ofOneWorker,
    ),
    snapshotAgeSeconds: gaugeBy(
      ofType,
      'octavo_snapshot_age_seconds',
      'How long ago the oldest kept snapshot stopped being the latest state; 0 if only the latest is kept.',
      ofOneWorker,
    ),
    historyRows: gaugeBy(
      ofType,
      'octavo_history_rows',
      'Rows in the history of a type, as estimated by PostgreSQL.',
      ofOneWorker,
    ),
    historyBytes: gaugeBy(
      ofType,
      'octavo_history_bytes',
      'Disk space that the history of a type uses, with its indexes.',
      ofOneWorker,
    ),
    changesRows: gaugeBy(
      ofType,
      'octavo_changes_rows',
      'Changes of a type that are remembered, as estimated by PostgreSQL.',
      ofOneWorker,
    ),
    changesBytes: gaugeBy(
      ofType,
      'octavo_changes_bytes',
      'Disk space that the changes of a type use, with their indexes.',
      ofOneWorker,
    ),
    changesAgeSeconds: gaugeBy(
      ofType,
      'octavo_changes_age_seconds',
      'The age of the oldest state of a type since which the changes are known.',
      ofOneWorker,
    ),
    currentBytes: gaugeBy(
      ofType,
      'octavo_current_bytes',
      'Disk space that the objects of a type use, with their indexes.',
      ofOneWorker,
    ),
    replicaLagSeconds: gaugeBy(
      ['replica'],
      'octavo_replica_lag_seconds',
      'How far a PostgreSQL standby is behind; absent unless the database user has the role pg_monitor.',
      ofOneWorker,
    ),
  }
}

/** Prometheus sees a counter grow only if it has seen it before: otherwise the first time would not count. */
function fromZero(counter: Counter, all: readonly Readonly<Record<string, string>>[]): Counter {
  for (const labels of all) counter.inc(labels, 0)
  return counter
}
