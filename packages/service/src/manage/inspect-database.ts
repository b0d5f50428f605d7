// What an operator should know of a database before the service runs on it, read in one connection and judged elsewhere.
import { logObservations } from '../observe/log-observations.ts'
import { missingMigrations } from '../postgres/migrations.ts'
import { createPool } from '../postgres/create-pool.ts'
import { openDatabase, type Database, type Reader } from '../postgres/database.ts'
import { hasCitus } from '../postgres/has-citus.ts'

export interface DatabaseFacts {
  /** As in `server_version_num`: 150004. */
  readonly versionNumber: number
  readonly version: string
  readonly database: string
  readonly user: string
  readonly encoding: string
  readonly isStandby: boolean
  /** Each ontology needs a schema. */
  readonly mayCreateSchemas: boolean
  /** True also where the schema does not exist yet. */
  readonly ownsSchema: boolean
  readonly maxConnections: number
  readonly fsync: boolean
  readonly walLevel: string
  readonly missingMigrations: readonly string[]
  readonly clock: Date
  /** Undefined without Citus. */
  readonly nodes: readonly NodeHealth[] | undefined
}

interface NodeHealth {
  readonly address: string
  readonly isReachable: boolean
}

/** Connects to a primary; to a standby only where it is asked for. */
export async function inspectDatabase(
  databaseUrl: string,
  { allowsStandby = false }: { readonly allowsStandby?: boolean } = {},
): Promise<DatabaseFacts> {
  const options = { databaseUrl, databasePoolSize: 1, statementTimeoutSeconds: 10, allowsStandby }
  const database = openDatabase(createPool(options, logObservations('silent')))
  try {
    return await readFacts(database)
  } finally {
    await database.close()
  }
}

async function readFacts(database: Database): Promise<DatabaseFacts> {
  const [row = {}] = await database.rows({
    text: `select current_setting('server_version_num') as version_number, current_setting('server_version') as version,
  current_database() as database, current_user as user, current_setting('server_encoding') as encoding,
  pg_is_in_recovery() as standby, has_database_privilege(current_database(), 'create') as may_create,
  coalesce((select pg_has_role(nspowner, 'usage') from pg_namespace where nspname = 'octavo'), true) as owns,
  current_setting('max_connections') as max_connections, current_setting('fsync') as fsync,
  current_setting('wal_level') as wal_level, extract(epoch from clock_timestamp()) as clock, ${hasCitus} as citus`,
    values: [],
  })
  const text = (name: string): string => row[name] ?? ''
  return {
    versionNumber: Number(text('version_number')),
    version: text('version'),
    database: text('database'),
    user: text('user'),
    encoding: text('encoding'),
    isStandby: text('standby') === 't',
    mayCreateSchemas: text('may_create') === 't',
    ownsSchema: text('owns') === 't',
    maxConnections: Number(text('max_connections')),
    fsync: text('fsync') === 'on',
    walLevel: text('wal_level'),
    missingMigrations: await missingMigrations(database),
    clock: new Date(Number(text('clock')) * 1_000),
    nodes: text('citus') === 't' ? await readNodes(database) : undefined,
  }
}

async function readNodes(reader: Reader): Promise<readonly NodeHealth[]> {
  const rows = await reader.rows({
    text: `select to_nodename || ':' || to_nodeport as address, bool_and(coalesce(result, false)) as reachable
from citus_check_cluster_node_health() group by 1 order by 1`,
    values: [],
  })
  return rows.map((row) => ({ address: row['address'] ?? '', isReachable: row['reachable'] === 't' }))
}
