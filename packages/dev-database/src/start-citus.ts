import { randomBytes } from 'node:crypto'
import type { Cluster } from './cluster.ts'
import { addWorkerToDatabase, createCitusDatabase } from './citus-database.ts'
import { requireCitus } from './find-citus.ts'
import type { ClusterOptions } from './server-settings.ts'
import { startCluster } from './start-cluster.ts'
import { withClient } from './with-client.ts'

/** A throwaway Citus cluster of our own: a coordinator and workers, each of them a PostgreSQL server. */
export type CitusCluster = {
  /** The URL of the database `octavo` on the coordinator, as superuser, password included. */
  readonly url: string
  readonly coordinator: Cluster
  readonly workers: () => readonly Cluster[]
  readonly addWorker: () => Promise<Cluster>
  /** Moves everything off the worker, then stops it. */
  readonly removeWorker: (worker: Cluster) => Promise<void>
  readonly stop: () => Promise<void>
}

export type CitusOptions = Omit<ClusterOptions, 'password'> & { readonly workers?: number }

const database = 'octavo'

const citusSettings = {
  shared_preload_libraries: 'citus',
  // A schema is moved by logical replication.
  wal_level: 'logical',
  max_wal_senders: '20',
  max_replication_slots: '20',
  max_prepared_transactions: '200',
  // Each database has its own maintenance process.
  max_worker_processes: '64',
  max_connections: '300',
  shared_buffers: '128MB',
  // Our servers have no certificates.
  'citus.node_conninfo': 'sslmode=prefer',
  // A test that kills a worker should not wait a minute until its prepared transactions are recovered.
  'citus.recover_2pc_interval': '1s',
  // Likewise until an ontology can be moved back.
  'citus.defer_shard_delete_interval': '1s',
} as const

export async function startCitus({ workers = 2, ...options }: CitusOptions = {}): Promise<CitusCluster> {
  await requireCitus()
  const password = randomBytes(18).toString('base64url')
  const startNode = () =>
    startCluster({ ...options, password, settings: { ...citusSettings, ...options.settings } })
  const nodes = await startTogether(workers + 1, startNode)
  const [coordinator, ...running] = nodes
  if (coordinator === undefined) throw new Error('No coordinator was started.')
  const stop = async () => {
    await Promise.all([...running, coordinator].map((node) => node.stop()))
  }
  try {
    await createCitusDatabase(
      nodes.map((node) => node.url),
      database,
    )
  } catch (error) {
    await stop()
    throw error
  }
  const url = coordinator.databaseUrl(database)
  return {
    url,
    coordinator,
    workers: () => [...running],
    addWorker: async () => {
      const worker = await startNode()
      running.push(worker)
      await addWorkerToDatabase(coordinator.url, worker.url, database)
      return worker
    },
    removeWorker: async (worker) => {
      await withClient(url, async (client) => {
        await client.query('SELECT citus_drain_node($1, $2)', [worker.host, worker.port])
        await client.query('SELECT citus_remove_node($1, $2)', [worker.host, worker.port])
      })
      running.splice(running.indexOf(worker), 1)
      await worker.stop()
    },
    stop,
  }
}

/** If one does not start, the others are stopped. */
async function startTogether(count: number, start: () => Promise<Cluster>): Promise<readonly Cluster[]> {
  const outcomes = await Promise.allSettled(Array.from({ length: count }, start))
  const started = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []))
  const failed = outcomes.find((outcome) => outcome.status === 'rejected')
  if (failed === undefined) return started
  await Promise.all(started.map((node) => node.stop()))
  throw failed.reason
}
