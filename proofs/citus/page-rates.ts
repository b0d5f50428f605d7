// What a page and a commit cost on a cluster, compared with the same store on one PostgreSQL of the same machine: rounds of all
// contestants alternate.
import { startCitus, startCluster } from '@octavo/dev-database'
import { migrateDatabase } from '@octavo/service'
import type { ObjectType, PointInTime, Store } from '../../packages/service/test/inside.ts'
import { openTestStore } from '../../packages/service/test/support/open-test-store.ts'
import { expect, type Proof } from '../harness/prove.ts'
import { loadSample, putOf } from '../harness/load-sample.ts'
import { sampleDefinition, sampleEmployee } from '../harness/sample-employees.ts'
import { readPage } from './read-page.ts'

interface Contestant {
  readonly name: 'PostgreSQL' | 'owning node' | 'coordinator'
  readonly store: Store
  readonly type: ObjectType
  readonly snapshot: PointInTime
}

interface Work {
  readonly name: string
  /** The least share of the rate on one PostgreSQL that the owning node must reach. */
  readonly least: number
  readonly run: (contestant: Contestant, number: number) => Promise<unknown>
}

const atOnce = 4

const works = (objects: number): readonly Work[] => {
  const from = (number: number) => sampleEmployee((number * 7_919) % (objects - 2_000)).employeeId
  const page =
    (size: number, snapshot: boolean): Work['run'] =>
    ({ store, type, ...contestant }, number) =>
      readPage(store, type, { from: from(number), size, ...(snapshot && { at: contestant.snapshot }) })
  return [
    { name: 'pages of 1,000, latest', least: 0.75, run: page(1_000, false) },
    { name: 'pages of 1,000, snapshot', least: 0.75, run: page(1_000, true) },
    { name: 'pages of 100, latest', least: 0.6, run: page(100, false) },
    { name: 'pages of 100, snapshot', least: 0.6, run: page(100, true) },
    {
      name: 'commits of 100 objects',
      least: 0.6,
      run: ({ store, type }, number) =>
        store.commit({
          parts: [
            {
              type,
              changes: Array.from({ length: 100 }, (_, i) =>
                putOf(type, sampleEmployee((number * 100 + i) % objects, number)),
              ),
            },
          ],
        }),
    },
  ]
}

export const provePageRates = (proof: Proof): Promise<void> =>
  proof.point('Pages and commits on the owning node are nearly as fast as on one PostgreSQL', async () => {
    const options = { durable: true }
    const plain = await startCluster(options)
    const citus = await startCitus({ ...options, workers: 2 })
    const open = async (name: Contestant['name'], url: string) => {
      const routing = name === 'coordinator' ? ('coordinator' as const) : ('direct' as const)
      return openTestStore({ databaseUrl: url, databasePoolSize: 8, databaseRouting: routing })
    }
    const stores: Store[] = []
    try {
      const contestants: Contestant[] = []
      for (const [name, url] of [
        ['PostgreSQL', plain.url],
        ['owning node', citus.url],
        ['coordinator', citus.url],
      ] as const) {
        await migrateDatabase(url, () => {})
        const store = await open(name, url)
        stores.push(store)
        contestants.push(await prepare(proof, name, store))
      }
      return await compare(proof, contestants)
    } finally {
      await Promise.all(stores.map((store) => store.database.close()))
      await plain.stop()
      await citus.stop()
    }
  })

const objectsOf = (proof: Proof) => (proof.short ? 20_000 : 200_000)

async function prepare(proof: Proof, name: Contestant['name'], store: Store): Promise<Contestant> {
  const ontology = await store.applyOntology({ apiName: 'rates', displayName: 'Rates' })
  const type = await store.applyObjectType(ontology, sampleDefinition)
  const objects = objectsOf(proof)
  if (name !== 'coordinator') await loadSample(store, type, { objects, say: proof.say })
  const rows = await store.database.rows({
    text: `select m.version, m.tag from ${type.tables.commits} m where m.object_type = $1 order by m.version desc limit 1`,
    values: [type.id],
  })
  const [newest] = rows
  // One more commit, so that snapshot pages read history too.
  if (name !== 'coordinator') {
    const changes = Array.from({ length: objects / 10 }, (_, i) => putOf(type, sampleEmployee(i * 10, 1)))
    await store.commit({ parts: [{ type, changes }] })
  }
  return {
    name,
    store,
    type,
    snapshot: { kind: 'snapshot', version: newest?.['version'] ?? '', tag: newest?.['tag'] ?? '' },
  }
}

async function compare(proof: Proof, contestants: readonly Contestant[]): Promise<string> {
  const rounds = proof.short ? 2 : 7
  const seconds = proof.short ? 1.5 : 3
  const missed: string[] = []
  const shown: string[] = []
  for (const work of works(objectsOf(proof))) {
    const rates = new Map<string, number[]>(contestants.map(({ name }) => [name, []]))
    for (let round = 0; round <= rounds; round += 1) {
      for (const contestant of contestants) {
        const rate = await rateOf(work, contestant, seconds)
        // The first round warms up.
        if (round > 0) rates.get(contestant.name)?.push(rate)
      }
    }
    const share = (name: Contestant['name']) =>
      median((rates.get(name) ?? []).map((rate, i) => rate / (rates.get('PostgreSQL')?.[i] ?? rate)))
    const direct = share('owning node')
    const line = `${work.name}: ${median(rates.get('PostgreSQL') ?? []).toFixed(0)} a second on PostgreSQL, ${direct.toFixed(2)} of that on the owning node, ${share('coordinator').toFixed(2)} through the coordinator`
    proof.say(line)
    shown.push(`${work.name} ${direct.toFixed(2)}`)
    if (direct < work.least) missed.push(`${work.name} reach ${direct.toFixed(2)}, not ${work.least}`)
  }
  // How fast a machine is in half a second says nothing.
  expect(proof.short || missed.length === 0, missed.join('; '))
  return shown.join(', ')
}

async function rateOf(work: Work, contestant: Contestant, seconds: number): Promise<number> {
  const until = performance.now() + seconds * 1_000
  let done = 0
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      while (performance.now() < until) {
        done += 1
        await work.run(contestant, done)
      }
    }),
  )
  return done / seconds
}

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0
