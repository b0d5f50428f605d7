// Shows and changes on which node of a Citus cluster an ontology is: for the operator, directly in the database.
import { setTimeout as sleep } from 'node:timers/promises'
import { recordChange } from '../audit/record-change.ts'
import { operatorName } from '../guard/auth/principal-name.ts'
import { randomUuid } from '../guard/auth/random.ts'
import { logObservations } from '../observe/log-observations.ts'
import { createPool } from '../postgres/create-pool.ts'
import { openDatabase, type Database, type Reader, type Row } from '../postgres/database.ts'
import { hasCitus } from '../postgres/has-citus.ts'
import { hasState } from '../postgres/sqlstate.ts'
import { groupHolding, nodeAddress } from '../postgres/nodes/node-sql.ts'

export interface ClusterNode {
  /** Its host and port, as the cluster knows them. */
  readonly address: string
  readonly isCoordinator: boolean
  /** Whether ontologies may be placed here. */
  readonly takesOntologies: boolean
  readonly ontologyCount: number
}

export interface PlacedOntology {
  readonly apiName: string
  readonly rid: string
  readonly schema: string
  /** The address of its node; that of the coordinator also where the ontology is not distributed. */
  readonly node: string
  readonly isDistributed: boolean
}

export interface ClusterManagement {
  /** Empty on one PostgreSQL without Citus. */
  readonly nodes: () => Promise<readonly ClusterNode[]>
  readonly ontologies: () => Promise<readonly PlacedOntology[]>
  /** Moves the ontology while it is read and written. One that was created before Citus was is distributed first. */
  readonly move: (ontology: PlacedOntology, address: string) => Promise<void>
  /** The bytes that the move in progress has copied, and has to copy. */
  readonly progress: () => Promise<{ readonly copied: number; readonly total: number } | undefined>
  readonly close: () => Promise<void>
}

export function openClusterManagement(databaseUrl: string): ClusterManagement {
  // A move takes as long as its data needs, and its progress is asked for meanwhile.
  const options = { databaseUrl, databasePoolSize: 2, statementTimeoutSeconds: 30 }
  const database = openDatabase(createPool(options, logObservations('silent')))
  return {
    nodes: () => readNodes(database),
    ontologies: () => readPlacements(database),
    move: (ontology, to) => moveOntology(database, ontology, to),
    progress: async () => {
      const [row] = await database.rows({
        text: `select sum(target_shard_size) as copied, sum(source_shard_size) as total from get_rebalance_progress()`,
        values: [],
      })
      return row?.['total'] == null
        ? undefined
        : { copied: Number(row['copied']), total: Number(row['total']) }
    },
    close: () => database.close(),
  }
}

async function isCluster(reader: Reader): Promise<boolean> {
  const rows = await reader.rows({ text: `select where ${hasCitus}`, values: [] })
  return rows.length > 0
}

async function readNodes(database: Database): Promise<readonly ClusterNode[]> {
  if (!(await isCluster(database))) return []
  const rows = await database.rows({
    text: `select ${nodeAddress} as address, n.groupid, n.shouldhaveshards
from pg_dist_node n where n.noderole = 'primary' order by n.groupid`,
    values: [],
  })
  const placed = await readPlacements(database)
  return rows.map((row) => ({
    address: row['address'] ?? '',
    isCoordinator: row['groupid'] === '0',
    takesOntologies: row['shouldhaveshards'] === 't',
    ontologyCount: placed.filter(({ node }) => node === row['address']).length,
  }))
}

async function readPlacements(database: Database): Promise<readonly PlacedOntology[]> {
  if (!(await isCluster(database))) return []
  const rows = await database.rows({
    text: `select o.api_name, o.rid, o.schema_name, ${nodeAddress} as node, placed.groupid is not null as distributed
from octavo.ontologies o
cross join lateral (select ${groupHolding('o.schema_name')} as groupid) placed
join pg_dist_node n on n.groupid = coalesce(placed.groupid, 0) and n.noderole = 'primary'
order by o.api_name`,
    values: [],
  })
  return rows.map(placedOntology)
}

const placedOntology = (row: Row): PlacedOntology => ({
  apiName: row['api_name'] ?? '',
  rid: row['rid'] ?? '',
  schema: row['schema_name'] ?? '',
  node: row['node'] ?? '',
  isDistributed: row['distributed'] === 't',
})

/** Citus' own words for what passes: a type is just being created, or what the last move left behind is not yet removed. */
const isBusy = (error: unknown): boolean =>
  hasState(error, 'deadlock') ||
  /could not acquire the lock required to move|leftover from the previous move/.test(String(error))

/** The coordinator keeps connections to its nodes, and notices only by an error that a node was restarted. */
const isLost = (error: unknown): boolean =>
  /because of a connection error|could not fetch disk stats|connection to the remote node/i.test(
    String(error),
  )

const triesAfter = (error: unknown): number => (isBusy(error) ? 60 : isLost(error) ? 5 : 0)

async function untilFree(work: () => Promise<void>): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work()
    } catch (error) {
      if (tries >= triesAfter(error)) throw error
      await sleep(1_000)
    }
  }
}

async function moveOntology(
  database: Database,
  { rid, schema, isDistributed }: PlacedOntology,
  to: string,
): Promise<void> {
  const patiently = (text: string, values: readonly string[]) =>
    untilFree(() =>
      database.transaction(async (transaction) => {
        await transaction.takeTime()
        await transaction.rows({ text, values })
      }),
    )
  // Citus chooses the node.
  if (!isDistributed) await patiently('select citus_schema_distribute($1::regnamespace)', [schema])
  const now = (await readPlacements(database)).find((ontology) => ontology.rid === rid)
  if (now?.node === to) return
  const { hostname, port } = new URL(`postgres://${to}`)
  await patiently('select citus_schema_move($1::regnamespace, $2, $3::integer)', [
    schema,
    hostname.replace(/^\[|\]$/g, ''),
    port,
  ])
  await recordChange(database, {
    id: randomUuid(),
    now: new Date(),
    subject: operatorName,
    action: 'moveOntology',
    ontologyRid: rid,
    details: { node: to },
  })
}
