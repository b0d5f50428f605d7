// What it costs to count all objects of a type by the values of a property: few values, some, and as many as there are at most; and
// what it costs if commits keep the counts, which those who count do not pay for then.
import { setTimeout as sleep } from 'node:timers/promises'
import { cpuSecondsOfCluster } from '../harness/cpu-time.ts'
import { median } from '../harness/statistics.ts'
import { columnOf, type ObjectType } from '../../packages/service/test/inside.ts'
import { jsonBody } from '../../packages/service/test/support/page-revisions.ts'
import { putObject } from '../../packages/service/test/support/put-object.ts'
import { startTestService, type TestService } from '../../packages/service/test/support/start-test-service.ts'
import { putOf } from '../harness/load-sample.ts'
import { sampleDefinition, sampleEmployee } from '../harness/sample-employees.ts'
import { withStore, type ProofStore } from '../harness/with-store.ts'
import { expect, type Proof } from '../harness/prove.ts'

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
      await proof.point('Values that commits keep counts of are counted in 5 ms at the median', () =>
        showKept(proof, { served, service, type }, objects),
      )
    } finally {
      await service.close()
    }
  })
  await proof.point(
    'Commits that keep the counts of two properties are at least 0.85 as fast as others',
    () => showCommits(proof),
  )
}

/** Written directly into the tables: the measurement does not depend on how the rows got there. */
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
    `update ${commits} set live = ${objects} where object_type = ${type.id} and version = 1`,
  )
  await store.database.run(`vacuum (analyze) ${current}`)
  return type
}

interface Counting {
  readonly served: ProofStore
  readonly service: TestService
  readonly type: ObjectType
}

/** The same counts, once all objects have been counted. */
async function showKept(proof: Proof, { served, service, type }: Counting, objects: number): Promise<string> {
  const { store, ontology } = served
  const fields = ['few', 'some']
  const since = performance.now()
  const counted = { type: 'integer', searchable: true, counted: true } as const
  const properties = { ...type.definition.properties, few: counted, some: counted }
  await store.applyObjectType(ontology, { ...type.definition, properties })
  const seconds = (performance.now() - since) / 1_000
  const figures: string[] = []
  for (const field of fields) {
    const times: number[] = []
    for (let i = 0; i < 50; i += 1) {
      const at = performance.now()
      await countBy(service, type, { field, objects })
      times.push(performance.now() - at)
    }
    const middle = median(times)
    figures.push(`by ${field} in ${middle.toFixed(1)} ms`)
    expect(proof.short || middle <= 5, `counted by ${field} in ${middle.toFixed(1)} ms`)
  }
  return `${figures.join(', ')}; to count all objects once took ${seconds.toFixed(1)} s`
}

async function showCommits(proof: Proof): Promise<string> {
  return withStore({ settings }, async ({ cluster, store }) => {
    const ontology = await store.applyOntology({ apiName: 'kept', displayName: 'Kept' })
    const { properties } = sampleDefinition
    const type = await store.applyObjectType(ontology, {
      ...sampleDefinition,
      properties: {
        ...properties,
        department: { type: 'string', sortable: true, required: true, counted: true },
        age: { type: 'integer', sortable: true, searchable: true, counted: true },
      },
    })
    // Commits under a definition that counts nothing leave the counts as they are.
    const ways = { with: type, without: { ...type, definition: sampleDefinition } }
    const [objects, rounds] = proof.short ? [2_000, 2] : [20_000, 12]
    const figures: string[] = []
    for (const atOnce of [1, 100, 1_000]) {
      const changed = atOnce === 1 ? objects / 20 : objects
      const cpu = { with: [] as number[], without: [] as number[] }
      for (let round = 0; round < rounds; round += 1) {
        for (const way of round % 2 === 0 ? (['with', 'without'] as const) : (['without', 'with'] as const)) {
          const before = cpuSecondsOfCluster(cluster)
          for (let from = 0; from < changed; from += atOnce) {
            const changes = Array.from({ length: atOnce }, (_, i) =>
              putOf(type, {
                ...sampleEmployee(from + i),
                age: (from + i + 7 * round + (way === 'with' ? 1 : 3)) % 90,
              }),
            )
            await store.commit({ parts: [{ type: ways[way], changes }] })
          }
          cpu[way].push(cpuSecondsOfCluster(cluster) - before)
        }
      }
      const ratio = median(cpu.without) / median(cpu.with)
      figures.push(`${ratio.toFixed(2)} with ${atOnce.toLocaleString('en')} objects a commit`)
      expect(
        proof.short || ratio >= 0.85,
        `${ratio.toFixed(2)} of the rate without, with ${atOnce} objects a commit`,
      )
    }
    return `${figures.join(', ')}, by processor time of the database`
  })
}

async function showCount(
  proof: Proof,
  { served, service, type }: Counting,
  { field, objects }: { readonly field: string; readonly objects: number },
): Promise<string> {
  const before = proof.short ? 0 : await blocksOf(served)
  const since = performance.now()
  await countBy(service, type, { field, objects })
  const seconds = (performance.now() - since) / 1_000
  if (proof.short) return `${seconds.toFixed(2)} s`
  const blocks = (await blocksOf(served)) - before
  return `${seconds.toFixed(2)} s, ${blocks.toLocaleString('en')} blocks`
}

async function countBy(
  service: TestService,
  type: ObjectType,
  { field, objects }: { readonly field: string; readonly objects: number },
): Promise<void> {
  const response = await service.fetch(
    `/api/proof/v1/objects/types/${type.apiName}/aggregate`,
    jsonBody({
      aggregation: [{ type: 'count', direction: 'DESC' }],
      groupBy: [{ type: 'exact', field, maxGroupCount: 100 }],
    }),
  )
  const { data, excludedItems = 0 } = (await response.json()) as Counted
  expect(response.status === 200, `the answer is ${response.status}`)
  const counted = data.reduce((sum, { metrics }) => sum + (metrics[0]?.value ?? 0), 0)
  expect(counted + excludedItems === objects, `${counted} and ${excludedItems} are not ${objects}`)
}

interface Counted {
  readonly data: readonly { readonly metrics: readonly { readonly value: number }[] }[]
  readonly excludedItems?: number
}

/** All blocks that the database has looked at. An idle session reports its blocks after 10 seconds. */
async function blocksOf({ store }: ProofStore): Promise<number> {
  await sleep(11_000)
  const [row] = await store.database.rows({
    text: 'select blks_hit + blks_read as blocks from pg_stat_database where datname = current_database()',
    values: [],
  })
  return Number(row?.['blocks'])
}
