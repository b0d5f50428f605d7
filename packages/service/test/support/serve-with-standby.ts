// The service on its own primary, with a hot standby.
import { replicationSettings, startCluster, startStandby, type Cluster } from '@octavo/dev-database'
import { migrateDatabase } from '../../src/build-service.ts'
import { openTestStore } from './open-test-store.ts'
import { servePromised, type PromisedService } from './serve-on-fresh-database.ts'

export interface ReplicatedService extends PromisedService {
  readonly primary: Cluster
  readonly standby: Cluster
  /** The outcomes of reads on replicas since the last call. */
  readonly replicaOutcomes: () => readonly ('read' | 'behind' | 'failed')[]
}

export async function serveWithStandby(
  environment: Readonly<Record<string, string>> = {},
): Promise<ReplicatedService> {
  const primary = await startCluster({ settings: replicationSettings })
  await migrateDatabase(primary.url, () => {})
  const standby = await startStandby(primary)
  const service = await servePromised({
    databaseUrl: primary.url,
    environment: { OCTAVO_DATABASE_REPLICA_URLS: standby.url, ...environment },
  })
  let seen = 0
  return {
    ...service,
    primary,
    standby,
    replicaOutcomes: () => {
      const fresh = service.observations.slice(seen)
      seen = service.observations.length
      return fresh.flatMap((observation) => {
        if (observation.kind === 'replica-asked') return [observation.outcome]
        return observation.kind === 'replica-failed' ? (['failed'] as const) : []
      })
    },
    close: async () => {
      await service.close()
      await standby.stop()
      await primary.stop()
    },
  }
}

/** Returns every value in PostgreSQL's text form. */
export async function askServer(
  { url }: Pick<Cluster, 'url'>,
  text: string,
): Promise<readonly Readonly<Record<string, string | null>>[]> {
  const { database } = openTestStore({ databaseUrl: url, databasePoolSize: 1, allowsStandby: true })
  try {
    return await database.rows({ text, values: [] })
  } finally {
    await database.close()
  }
}
