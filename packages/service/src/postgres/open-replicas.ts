import { serverUrls } from '../config/server-urls.ts'
import type { Observe } from '../observe/observation.ts'
import { createPool, type PoolOptions } from './create-pool.ts'
import { openDatabase, type Database } from './database.ts'

export interface OpenReplica {
  /** The replica's host and port: the part of its URL that may be logged. */
  readonly name: string
  readonly database: Database
}

/** A page can be read from the primary instead, so the time-outs of a replica are short. */
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

/** The database; closing it also closes its replicas. */
export const closingAlso = (database: Database, replicas: readonly OpenReplica[]): Database => ({
  ...database,
  close: async () => {
    await Promise.all([database, ...replicas.map((replica) => replica.database)].map((each) => each.close()))
  },
})
