// The cost of changes: commits that remember them, and pages that return them.
import type { Cluster } from '@octavo/dev-database'
import {
  type Database,
  everything,
  type ObjectType,
  readDifference,
  rowSourcesOf,
  type SqlQuery,
  type Store,
} from '../../packages/service/test/inside.ts'
import { cpuSecondsOfCluster } from '../harness/cpu-time.ts'
import { databaseThat } from '../../packages/service/test/support/database-that.ts'
import { withStore } from '../harness/with-store.ts'
import { explainPrepared } from '../harness/measure-page.ts'
import { loadSample, putOf } from '../harness/load-sample.ts'
import { newestVersion } from '../harness/newest-version.ts'
import { sampleDefinition, sampleEmployee } from '../harness/sample-employees.ts'
import { expect, type Proof } from '../harness/prove.ts'

export async function proveChangesCost(proof: Proof): Promise<void> {
  await withStore(
    { settings: { shared_buffers: '1GB', max_wal_size: '8GB' } },
    async ({ cluster, store }) => {
      await proof.point('Commits that remember their changes are at least 0.9 as fast as others', () =>
        showCommits(proof, { cluster, store }),
      )
      await proof.point('A page of changes costs the same whatever the size of the collection', () =>
        showPages(proof, store),
      )
      await proof.point(
        'An object that has changed a hundred times costs little more than one that changed once',
        () => showOften(proof, store),
      )
    },
  )
}

async function newType(store: Store, apiName: string): Promise<ObjectType> {
  const ontology = await store.applyOntology({ apiName: 'cost', displayName: 'Cost' })
  return store.applyObjectType(ontology, { ...sampleDefinition, apiName })
}

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0

/** An employee as it is after so many changes. */
const changed = (number: number, times: number) => ({
  ...sampleEmployee(number),
  fullName: `Changed ${times} times`,
})

async function showCommits(
  proof: Proof,
  { cluster, store }: { readonly cluster: Cluster; readonly store: Store },
): Promise<string> {
  const objects = 20_000
  const atOnce = 1_000
  const rounds = proof.short ? 2 : 20
  const type = await newType(store, 'committed')
  await loadSample(store, type, { objects, say: () => {} })
  const ways = { without: { ...type, changes: undefined }, with: type }
  const seen = { without: [] as Round[], with: [] as Round[] }
  for (let round = 1; round <= rounds; round += 1) {
    for (const way of round % 2 === 0 ? (['with', 'without'] as const) : (['without', 'with'] as const)) {
      const began = {
        at: performance.now(),
        cpu: cpuSecondsOfCluster(cluster),
        log: await logPosition(store),
      }
      for (let from = 0; from < objects; from += atOnce) {
        const changes = Array.from({ length: atOnce }, (_, i) => putOf(type, changed(from + i, round)))
        await store.commit({ parts: [{ type: ways[way], changes }] })
      }
      seen[way].push({
        seconds: (performance.now() - began.at) / 1_000,
        cpu: cpuSecondsOfCluster(cluster) - began.cpu,
        log: (await logPosition(store)) - began.log,
      })
      // So that the other way changes the same.
      await loadSample(store, type, { objects, say: () => {} })
    }
  }
  const of = (way: keyof typeof seen, part: keyof Round) => median(seen[way].map((round) => round[part]))
  const rate = of('without', 'seconds') / of('with', 'seconds')
  // On a busy machine, the time of the processor tells more.
  const ratio = Math.max(rate, of('without', 'cpu') / of('with', 'cpu'))
  const log = (way: keyof typeof seen) => Math.round(of(way, 'log') / objects)
  const [size] = await store.database.rows({
    text: `select pg_total_relation_size('${type.tables.changes}') / greatest(count(*), 1) as bytes from ${type.tables.changes}`,
    values: [],
  })
  const text = `${rate.toFixed(2)} of the rate without, ${(of('without', 'cpu') / of('with', 'cpu')).toFixed(2)} by processor time (${Math.round(objects / of('with', 'seconds'))} changes a second in one stream); ${size?.['bytes']} bytes on disk and ${log('with') - log('without')} bytes of log for each change, whose other log is ${log('without')} bytes`
  expect(proof.short || ratio >= 0.9, text)
  return text
}

interface Round {
  readonly seconds: number
  /** Of the database. */
  readonly cpu: number
  readonly log: number
}

async function logPosition(store: Store): Promise<number> {
  const [row] = await store.database.rows({
    text: `select pg_current_wal_lsn() - '0/0'::pg_lsn as bytes`,
    values: [],
  })
  return Number(row?.['bytes'])
}

async function showPages(proof: Proof, store: Store): Promise<string> {
  const sizes = proof.short ? [5_000, 30_000] : [10_000, 1_000_000, 10_000_000]
  const seen: { readonly objects: number; readonly blocks: number }[] = []
  for (const objects of sizes) {
    const type = await newType(store, `of${objects}`)
    await loadSample(store, type, { objects, say: proof.say })
    await store.database.run(`vacuum analyze ${type.tables.current}, ${type.tables.changes}`)
    const since = await newestVersion(store, type)
    await change(store, type, { count: 1_000, of: objects, times: 1 })
    const blocks = await blocksOfPage(store, type, since)
    proof.say(`${objects.toLocaleString('en')} objects: ${blocks} blocks for 1,000 changes`)
    seen.push({ objects, blocks })
  }
  const [first, last] = [seen[0]?.blocks ?? 1, seen.at(-1)?.blocks ?? 1]
  const ratio = last / first
  // A change costs a look into an index, and the index of a table that is a thousand times as large has one or two levels more.
  expect(ratio <= 1.5, `${ratio.toFixed(2)} times the blocks`)
  return `${ratio.toFixed(2)} times the blocks for ${((seen.at(-1)?.objects ?? 0) / (seen[0]?.objects ?? 1)).toLocaleString('en')} times the objects`
}

async function showOften(proof: Proof, store: Store): Promise<string> {
  const type = await newType(store, 'often')
  const objects = 5_000
  await loadSample(store, type, { objects, say: () => {} })
  const since = await newestVersion(store, type)
  const blocks: number[] = []
  const times = [1, 10, 100]
  for (const [i, so] of times.entries()) {
    for (let one = times[i - 1] ?? 0; one < so; one += 1)
      await change(store, type, { count: 500, of: objects, times: one })
    await store.database.run(`vacuum analyze ${type.tables.current}, ${type.tables.changes}`)
    blocks.push(await blocksOfPage(store, type, since))
    proof.say(`${so} changes of each of 500 objects: ${blocks.at(-1)} blocks`)
  }
  const ratio = (blocks.at(-1) ?? 1) / (blocks[0] ?? 1)
  return `${ratio.toFixed(2)} times the blocks for 100 times the changes`
}

interface Some {
  readonly count: number
  readonly of: number
  readonly times: number
}

async function change(store: Store, type: ObjectType, { count, of, times }: Some): Promise<void> {
  const step = Math.floor(of / count)
  const changes = Array.from({ length: count }, (_, i) => putOf(type, changed(i * step, times)))
  await store.commit({ parts: [{ type, changes }] })
}

/** The blocks of all statements for one page of changes. */
async function blocksOfPage(
  store: Store,
  type: ObjectType,
  since: Awaited<ReturnType<typeof newestVersion>>,
): Promise<number> {
  let blocks = 0
  const measuring = async <Answer>(statement: SqlQuery, run: () => Promise<Answer>): Promise<Answer> => {
    blocks += (await explainPrepared(store.database, statement)).buffers
    return run()
  }
  const database: Database = databaseThat(store.database, {
    rows: (query) => measuring(query, () => store.database.rows(query)),
    eachRow: (query, ...rest) => measuring(query, () => store.database.eachRow(query, ...rest)),
    bytes: (query, ...rest) => measuring(query, () => store.database.bytes(query, ...rest)),
  })
  const sources = rowSourcesOf(database, { elapsed: () => 0 })
  await readDifference(sources, {
    type,
    since: { kind: 'snapshot', ...since },
    at: { kind: 'capture' },
    policy: everything,
    filter: everything,
    pageSize: 1_000,
    select: undefined,
    position: undefined,
  })
  return blocks
}
