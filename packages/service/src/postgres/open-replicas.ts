import { serverUrls } from '../config/server-urls.ts'
import type { Observe } from '../observe/observation.ts'
import { createPool, type PoolOptions } from './create-pool.ts'
import { openDatabase, type Database } from './database.ts'

export interface OpenReplica {
  /** Its host and port: what a log may say of a URL. */
  readonly name: string
  readonly database: Database
}

/** A page can be read from the primary instead, so nobody waits long for a replica. */
const mostStatementSeconds = 5
const connectSeconds = 1

export const openReplicas = (
  {
    databaseReplicaUrls = [],
    ...options
  }: PoolOptions & { readonly databaseReplicaUrls?: readonly string[] },
  observe: Observe,
): readonly OpenReplica[] =>
  databaseReplicaUrls.flatMap(serverUrls).map((databaseUrl) => ({
    name: new URL(databaseUrl).host,
    database: openDatabase(
      createPool(
        {
          ...options,
          databaseUrl,
          allowsStandby: true,
          connectSeconds,
          statementTimeoutSeconds: Math.min(mostStatementSeconds, options.statementTimeoutSeconds),
        },
        observe,
      ),
    ),
  }))

/** The database, which takes its replicas with it when it is closed. */
export const closingAlso = (database: Database, replicas: readonly OpenReplica[]): Database => ({
  ...database,
  close: async () => {
    await Promise.all([database, ...replicas.map((replica) => replica.database)].map((each) => each.close()))
  },
})
