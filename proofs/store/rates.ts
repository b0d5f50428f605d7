// How fast objects are written, compared with plain PostgreSQL in the same run: rounds of both alternate.
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { startCluster, type Cluster } from '@octavo/dev-database'
import { migrateDatabase } from '@octavo/service'
import type { ObjectType, Store } from '../../packages/service/test/inside.ts'
import { openTestStore } from '../../packages/service/test/support/open-test-store.ts'
import { expect, type Proof } from '../harness/prove.ts'
import { loadSample, putOf } from '../harness/load-sample.ts'
import { sampleDefinition, sampleEmployee } from '../harness/sample-employees.ts'

const run = promisify(execFile)
const writers = 16

export async function proveRates(proof: Proof): Promise<void> {
  // As in production: what is acknowledged is on disk.
  const cluster = await startCluster({
    durable: true,
    settings: { shared_buffers: '1GB', max_wal_size: '8GB' },
  })
  const store = openTestStore({
    databaseUrl: cluster.url,
    databasePoolSize: writers,
    statementTimeoutSeconds: 600,
  })
  const folder = await mkdtemp(join(tmpdir(), 'octavo-rates-'))
  try {
    await migrateDatabase(cluster.url, () => {})
    await proof.point('Loading is at least half as fast as COPY of the same rows by psql', () =>
      proveLoading(proof, { cluster, store, folder }),
    )
    await proof.point('Commits of one object by 16 writers reach 0.7 of the bare clock-row statement', () =>
      proveCommits(proof, { cluster, store, folder }),
    )
  } finally {
    await store.database.close()
    await cluster.stop()
    await rm(folder, { recursive: true })
  }
}

interface LoadingSetting {
  readonly cluster: Cluster
  readonly store: Store
  readonly folder: string
}

const newType = async (store: Store, apiName: string): Promise<ObjectType> => {
  const ontology = await store.applyOntology({ apiName: 'rates', displayName: 'Rates' })
  // Two searchable properties; the sample's declared order would add a third index.
  return store.applyObjectType(ontology, { ...sampleDefinition, apiName, orders: [] })
}

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0

async function proveLoading(proof: Proof, { cluster, store, folder }: LoadingSetting): Promise<string> {
  const objects = proof.short ? 50_000 : 1_000_000
  const psql = (command: string) =>
    run(join(cluster.binFolder, 'psql'), [cluster.url, '-q', '-v', 'ON_ERROR_STOP=1', '-c', command])
  const file = join(folder, 'rows.txt')
  const ratios: number[] = []
  for (let round = 1; round <= (proof.short ? 1 : 3); round += 1) {
    const type = await newType(store, `loaded${round}`)
    const load = await rate(objects, () => loadSample(store, type, { objects, say: () => {} }))
    for (const side of ['current', 'history'] as const) {
      await psql(`create table copied_${side} (like ${type.tables[side]} including all)`)
    }
    await psql(`\\copy ${type.tables.current} to '${file}'`)
    const copy = await rate(objects, () => psql(`\\copy copied_current from '${file}'`))
    await psql('drop table copied_current, copied_history')
    ratios.push(load / copy)
    proof.say(
      `round ${round}: Octavo ${load.toFixed(0)}, COPY ${copy.toFixed(0)} objects a second, ratio ${(load / copy).toFixed(2)}`,
    )
  }
  const ratio = median(ratios)
  expect(proof.short || ratio >= 0.5, `${ratio.toFixed(2)} of COPY`)
  return `${ratio.toFixed(2)} of COPY`
}

async function rate(objects: number, work: () => Promise<unknown>): Promise<number> {
  const since = performance.now()
  await work()
  return objects / ((performance.now() - since) / 1000)
}

async function proveCommits(proof: Proof, { cluster, store, folder }: LoadingSetting): Promise<string> {
  const seconds = proof.short ? 2 : 10
  const type = await newType(store, 'committed')
  const script = join(folder, 'clock.sql')
  await writeFile(
    script,
    `update bare_clock set version = version + 1 where object_type = ${type.id} returning version;\n`,
  )
  await store.database.run(
    `create table bare_clock (like ${type.tables.clock} including all) with (fillfactor = 10)`,
  )
  await store.database.run(
    `insert into bare_clock select * from ${type.tables.clock} where object_type = ${type.id}`,
  )
  const ratios: number[] = []
  let commits = 0
  for (let round = 1; round <= (proof.short ? 1 : 5); round += 1) {
    const bare = await pgbench(cluster, { script, seconds })
    const until = performance.now() + seconds * 1000
    const before = commits
    await Promise.all(
      Array.from({ length: writers }, async () => {
        while (performance.now() < until) {
          commits += 1
          await store.commit({ parts: [{ type, changes: [putOf(type, sampleEmployee(commits))] }] })
        }
      }),
    )
    const ours = (commits - before) / seconds
    ratios.push(ours / bare)
    proof.say(
      `round ${round}: Octavo ${ours.toFixed(0)}, bare ${bare.toFixed(0)} a second, ratio ${(ours / bare).toFixed(2)}`,
    )
  }
  const clock = await store.database.rows({
    text: `select version, live from ${type.tables.clock} where object_type = $1`,
    values: [type.id],
  })
  expect(
    clock[0]?.['version'] === String(commits),
    `the clock says ${clock[0]?.['version']}, there were ${commits} commits`,
  )
  const ratio = median(ratios)
  expect(proof.short || ratio >= 0.7, `${ratio.toFixed(2)} of the bare statement`)
  return `${ratio.toFixed(2)} of the bare statement, every commit its own version`
}

async function pgbench(
  cluster: Cluster,
  { script, seconds }: { readonly script: string; readonly seconds: number },
): Promise<number> {
  const { stdout } = await run(
    join(cluster.binFolder, 'pgbench'),
    [
      '-n',
      '-M',
      'prepared',
      '-c',
      String(writers),
      '-j',
      '2',
      '-T',
      String(seconds),
      '-f',
      script,
      cluster.url,
    ],
    { env: { ...process.env } },
  )
  return Number(/tps = ([0-9.]+)/.exec(stdout)?.[1])
}
