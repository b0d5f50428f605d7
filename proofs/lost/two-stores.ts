// The same employees twice, on one server: in Octavo, and in the plain table that the peers read. Every commit goes to both at once.
import { readFile } from 'node:fs/promises'
import { startCluster, type Cluster } from '@octavo/dev-database'
import { migrateDatabase } from '@octavo/service'
import { Client } from 'pg'
import type { Store } from '../../packages/service/test/inside.ts'
import { collectionOf } from '../../packages/service/test/support/load-items.ts'
import { openTestStore } from '../../packages/service/test/support/open-test-store.ts'
import type { Collection } from '../../packages/service/test/support/page-revisions.ts'
import { withTestAccess } from '../../packages/service/test/support/test-access.ts'
import { sendCommit } from '../harness/faults/send-commit.ts'
import { sampleDefinition } from '../harness/sample-employees.ts'
import { startOctavo } from '../harness/start-octavo.ts'
import type { ServerProcess } from '../harness/server-process.ts'
import { propertiesOf, type Employee } from './employee.ts'

export interface Commit {
  readonly number: number
  readonly puts: readonly Employee[]
  readonly deletes: readonly string[]
}

export interface TwoStores {
  readonly cluster: Cluster
  readonly store: Store
  readonly octavo: ServerProcess
  readonly collection: Collection
  /** Ends when both have acknowledged it. */
  readonly commit: (commit: Commit) => Promise<void>
  readonly end: () => Promise<void>
}

export async function openTwoStores(): Promise<TwoStores> {
  const cluster = await startCluster()
  const store = openTestStore({ databaseUrl: cluster.url })
  const client = new Client({ connectionString: cluster.url })
  const ends = [() => cluster.stop(), () => store.database.close(), () => client.end()]
  const end = async () => {
    for (const step of ends.splice(0).toReversed()) await step()
  }
  try {
    await client.connect()
    await migrateDatabase(cluster.url, () => {})
    const owned = await withTestAccess(store)
    const ontology = await owned.applyOntology({
      apiName: 'lost',
      displayName: 'Lost',
      apiFamilies: ['lost'],
    })
    const type = await owned.applyObjectType(ontology, {
      ...sampleDefinition,
      properties: { ...sampleDefinition.properties, hiredAt: { type: 'timestamp', sortable: true } },
    })
    await makePlainTable(client)
    const octavo = await startOctavo({ databaseUrl: cluster.url, built: false })
    ends.push(async () => void (await octavo.stop()))
    const collection = collectionOf(ontology, type)
    const commit = async (made: Commit) => {
      await Promise.all([commitToOctavo(octavo.url, collection, made), commitToPlainTable(client, made)])
    }
    return { cluster, store, octavo, collection, commit, end }
  } catch (error) {
    await end()
    throw error
  }
}

async function makePlainTable(client: Client): Promise<void> {
  const text = await readFile(new URL('../harness/peers/plain-table.sql', import.meta.url), 'utf8')
  await client.query(text.replaceAll(':objects', '0'))
  // PostGraphile offers an order only if an index has it.
  await client.query('create index on bench.employees (hired_at, employee_id)')
}

async function commitToOctavo(
  url: string,
  { ontologyRid, objectType }: Collection,
  { number, puts, deletes }: Commit,
): Promise<void> {
  const lines = [
    ...puts.map((employee) => ({ type: 'put', properties: propertiesOf(employee) })),
    ...deletes.map((primaryKey) => ({ type: 'delete', primaryKey })),
  ]
  await sendCommit(
    { url, ontologyRid, objectType, fetch, unanswered: () => {} },
    `commit-${number}`,
    lines.map((line) => JSON.stringify(line)),
  )
}

async function commitToPlainTable(client: Client, { puts, deletes }: Commit): Promise<void> {
  await client.query('begin')
  if (deletes.length > 0) {
    await client.query('delete from bench.employees where employee_id = any($1)', [deletes])
  }
  if (puts.length > 0) {
    await client.query(
      `insert into bench.employees
select "employeeId", "fullName", department, age, about, email, "hiredAt" from jsonb_to_recordset($1) as put
  ("employeeId" text, "fullName" text, department text, age integer, about text, email text, "hiredAt" timestamptz)
on conflict (employee_id) do update set department = excluded.department, hired_at = excluded.hired_at`,
      [JSON.stringify(puts.map(propertiesOf))],
    )
  }
  await client.query('commit')
}
