// What it costs to count all objects of a type by the values of a property: few values, some, and as many as there are at most.
import { setTimeout as sleep } from 'node:timers/promises'
import { columnOf, type ObjectType } from '../../packages/service/test/inside.ts'
import { jsonBody } from '../../packages/service/test/support/page-revisions.ts'
import { putObject } from '../../packages/service/test/support/put-object.ts'
import { startTestService, type TestService } from '../../packages/service/test/support/start-test-service.ts'
import { withStore, type ProofStore } from '../prove-search/with-store.ts'
import { expect, type Proof } from '../prove.ts'

const settings = { shared_buffers: '1GB', max_wal_size: '8GB' }
const statementSeconds = '300'

export async function proveGroupedCounts(proof: Proof): Promise<void> {
  // As many as the option --aggregate-objects allows.
  const objects = proof.short ? 20_000 : 4_000_000
  const values = { few: 10, some: 1_000, many: Math.min(1_000_000, objects / 10) }
  await withStore({ settings }, async (served) => {
    const type = await fill(served, objects, values)
    const service = await startTestService({
      databaseUrl: served.databaseUrl,
      environment: {
        OCTAVO_AGGREGATE_OBJECTS: String(objects),
        OCTAVO_STATEMENT_TIMEOUT_SECONDS: statementSeconds,
        OCTAVO_REQUEST_TIMEOUT_SECONDS: statementSeconds,
      },
    })
    try {
      for (const [field, distinct] of Object.entries(values)) {
        await proof.point(
          `${objects.toLocaleString('en')} objects counted by one of ${distinct.toLocaleString('en')} values`,
          () => showCount(proof, { served, service, type }, { field, objects }),
        )
      }
    } finally {
      await service.close()
    }
  })
}

/** Written directly into the tables: what is measured does not depend on how the rows got there. */
async function fill(
  { store, ontology }: ProofStore,
  objects: number,
  values: Readonly<Record<string, number>>,
): Promise<ObjectType> {
  const counted = Object.keys(values)
  const type = await store.applyObjectType(ontology, {
    apiName: 'counted',
    displayName: 'Counted',
    primaryKey: 'id',
    titleProperty: 'id',
    properties: {
      id: { type: 'string' },
      ...Object.fromEntries(counted.map((name) => [name, { type: 'integer', searchable: true }])),
    },
  })
  const first = Object.fromEntries(counted.map((name) => [name, 0]))
  await store.commit({ parts: [{ type, changes: [putObject(type, { id: '0', ...first })] }] })
  const columns = counted.map((name) => columnOf(type, name)?.name).join(', ')
  const made = Object.values(values).map((distinct) => `(n::bigint * 7919 % ${distinct})::integer`)
  const scalars = counted.map((name, i) => `',"${name}":' || ${made[i]}`).join(' || ')
  const { current, clock, commits } = type.tables
  await store.database.run(`insert into ${current} (pk, version_from, scalars, ${columns})
select n::text, 1, '"id":"' || n || '"' || ${scalars}, ${made.join(', ')}
from generate_series(1, ${objects - 1}) as n`)
  await store.database.run(
    `update ${clock} set live = ${objects}, largest = 100 where object_type = ${type.id}`,
  )
  await store.database.run(
    `update ${commits} set live = ${objects}, checksum = null where object_type = ${type.id} and version = 1`,
  )
  await store.database.run(`vacuum (analyze) ${current}`)
  return type
}

interface Counting {
  readonly served: ProofStore
  readonly service: TestService
  readonly type: ObjectType
}

async function showCount(
  proof: Proof,
  { served, service, type }: Counting,
  { field, objects }: { readonly field: string; readonly objects: number },
): Promise<string> {
  const before = proof.short ? 0 : await blocksOf(served)
  const since = performance.now()
  const response = await service.fetch(
    `/api/proof/v1/objects/types/${type.apiName}/aggregate`,
    jsonBody({
      aggregation: [{ type: 'count', direction: 'DESC' }],
      groupBy: [{ type: 'exact', field, maxGroupCount: 100 }],
    }),
  )
  const seconds = (performance.now() - since) / 1_000
  const { data, excludedItems = 0 } = (await response.json()) as Counted
  expect(response.status === 200, `the answer is ${response.status}`)
  const told = data.reduce((sum, { metrics }) => sum + (metrics[0]?.value ?? 0), 0)
  expect(told + excludedItems === objects, `${told} and ${excludedItems} are not ${objects}`)
  if (proof.short) return `${seconds.toFixed(2)} s`
  const blocks = (await blocksOf(served)) - before
  return `${seconds.toFixed(2)} s, ${blocks.toLocaleString('en')} blocks`
}

interface Counted {
  readonly data: readonly { readonly metrics: readonly { readonly value: number }[] }[]
  readonly excludedItems?: number
}

/** All blocks that the database has looked at. A session that does nothing tells of its own after 10 seconds. */
async function blocksOf({ store }: ProofStore): Promise<number> {
  await sleep(11_000)
  const [row] = await store.database.rows({
    text: 'select blks_hit + blks_read as blocks from pg_stat_database where datname = current_database()',
    values: [],
  })
  return Number(row?.['blocks'])
}
