// Objects that change all the time: what a walk at a version costs, where each object has had many versions since the floor.
import type { ObjectTypeDefinition, Query } from '@octavo/protocol'
import {
  chosenOrder,
  type Database,
  type ObjectType,
  type PageRequest,
  planPage,
  readPage,
  rowSourcesOf,
  type SqlQuery,
  type Store,
  type Walk,
} from '../../../packages/service/test/inside.ts'
import { databaseThat } from '../../../packages/service/test/support/database-that.ts'
import { withStore } from '../../harness/with-store.ts'
import { explainPrepared } from '../../harness/measure-page.ts'
import { expect, type Proof } from '../../harness/prove.ts'
import { putOf } from '../../harness/load-sample.ts'
import { newestVersion } from '../../harness/newest-version.ts'

/** A walk has enough pages that its last one, which takes two statements, does not decide. */
const pageSize = 500

const sensorDefinition: ObjectTypeDefinition = {
  apiName: 'sensor',
  displayName: 'Sensor',
  primaryKey: 'sensorId',
  titleProperty: 'sensorId',
  properties: {
    sensorId: { type: 'string' },
    site: { type: 'string', searchable: true },
    kind: { type: 'string', searchable: true },
    reading: { type: 'integer', sortable: true },
    installed: { type: 'integer', sortable: true },
    about: { type: 'string' },
  },
}

const about = 'Measures something every ten seconds, and is read by somebody who wants all of it. '.repeat(3)

/** The reading is another one in every edition, so the object moves in that order; its other orders stay. */
const sensor = (number: number, edition: number) => ({
  sensorId: `sensor-${String(number).padStart(7, '0')}`,
  site: `site ${number % 2}`,
  kind: `kind ${number % 6}`,
  reading: (number * 7_919 + edition * 104_729) % 1_000_003,
  installed: (number * 31) % 997,
  about: `${about}${edition}`,
})

interface Way {
  readonly orderBy: PageRequest['orderBy']
  readonly query: Query
}

const all: Query = { type: 'empty' }
const ofOneSite: Query = { type: 'eq', field: 'site', value: 'site 1' }
const ofOneKind: Query = { type: 'eq', field: 'kind', value: 'kind 5' }
const by = (property: string, direction: 'asc' | 'desc'): PageRequest['orderBy'] => [{ property, direction }]

const ways: Readonly<Record<string, Way>> = {
  'by key': { orderBy: [], query: all },
  'by what changes': { orderBy: by('reading', 'desc'), query: all },
  'by what stays': { orderBy: by('installed', 'asc'), query: all },
  'one site': { orderBy: [], query: ofOneSite },
  'one kind, by what changes': { orderBy: by('reading', 'asc'), query: ofOneKind },
}

interface Cost {
  readonly objects: number
  readonly blocks: number
  readonly milliseconds: number
}

/** A walk of all objects, each of which has had so many versions. */
export interface HotWalk {
  readonly versions: number
  readonly name: string
  readonly latest: Cost
  readonly snapshot: Cost
}

export async function proveHotObjects(proof: Proof): Promise<readonly HotWalk[]> {
  const measured: HotWalk[] = []
  const objects = proof.short ? 3_000 : 6_000
  const steps = proof.short ? [1, 20] : [1, 10, 100, 360]
  await withStore({ settings: { shared_buffers: '2GB', max_wal_size: '8GB' } }, async ({ store }) => {
    const ontology = await store.applyOntology({ apiName: 'hot', displayName: 'Hot' })
    const type = await store.applyObjectType(ontology, sensorDefinition)
    let edition = 0
    const change = async (numbers: readonly number[]) => {
      for (let from = 0; from < numbers.length; from += 2_000) {
        const some = numbers.slice(from, from + 2_000)
        const changes = some.map((number) => putOf(type, sensor(number, edition)))
        await store.commit({ parts: [{ type, changes }] })
      }
    }
    const numbers = Array.from({ length: objects }, (_, number) => number)
    await change(numbers)
    for (const versions of steps) {
      await proof.point(
        `With ${versions} versions of each object, a walk at a version costs at most 1.5 times a latest one`,
        async () => {
          while (edition < versions) {
            edition += 1
            await change(numbers)
          }
          const before = await newestVersion(store, type)
          // During the walk, one object in five changes.
          edition += 1
          await change(numbers.filter((number) => number % 5 === edition % 5))
          for (const table of [type.tables.current, type.tables.history]) {
            await store.database.run(`vacuum analyze ${table}`)
          }
          // Times need several.
          const rounds = proof.short ? 1 : 3
          const walks = await measureWalks(store, { type, before, versions, rounds })
          measured.push(...walks)
          return judgeWalks(proof, walks)
        },
      )
    }
  })
  return measured
}

type Version = { readonly version: string; readonly tag: string }

async function measureWalks(
  store: Store,
  {
    type,
    before,
    versions,
    rounds,
  }: {
    readonly type: ObjectType
    readonly before: Version
    readonly versions: number
    readonly rounds: number
  },
): Promise<readonly HotWalk[]> {
  const walks: HotWalk[] = []
  for (const [name, way] of Object.entries(ways)) {
    const costs = { latest: [] as Cost[], snapshot: [] as Cost[] }
    for (let round = 0; round < rounds; round += 1) {
      costs.latest.push(await walkCost(store, type, { way, mode: { kind: 'default' } }))
      costs.snapshot.push(await walkCost(store, type, { way, mode: { kind: 'snapshot', ...before } }))
    }
    walks.push({ versions, name, latest: cheapest(costs.latest), snapshot: cheapest(costs.snapshot) })
  }
  return walks
}

function judgeWalks(proof: Proof, walks: readonly HotWalk[]): string {
  for (const { name, latest, snapshot } of walks) {
    proof.say(`${name}: latest ${describe(latest)}; at the version ${describe(snapshot)}`)
    expect(latest.objects === snapshot.objects, `${name}: ${snapshot.objects} objects of ${latest.objects}`)
  }
  const most = Math.max(...walks.map(({ latest, snapshot }) => snapshot.blocks / latest.blocks))
  const longest = Math.max(
    ...walks.map(({ latest, snapshot }) => snapshot.milliseconds / latest.milliseconds),
  )
  expect(most <= 1.5, `${most.toFixed(2)} times the blocks`)
  // A short run takes too little time to compare times.
  expect(proof.short || longest <= 1.5, `${longest.toFixed(2)} times the time`)
  return `at most ${most.toFixed(2)} times the blocks and ${longest.toFixed(2)} times the time`
}

const describe = ({ blocks, milliseconds }: Cost) => `${blocks} blocks, ${milliseconds.toFixed(1)} ms`

const cheapest = (costs: readonly Cost[]): Cost =>
  costs.reduce((least, cost) => (cost.milliseconds < least.milliseconds ? cost : least))

interface Measured {
  readonly way: Way
  readonly mode: Walk['mode']
}

/** The blocks of every statement of the walk, by EXPLAIN, and its time, without. */
async function walkCost(store: Store, type: ObjectType, { way, mode }: Measured): Promise<Cost> {
  let [objects, blocks, milliseconds] = [0, 0, 0]
  const measuring = async <Answer>(statement: SqlQuery, run: () => Promise<Answer>): Promise<Answer> => {
    blocks += (await explainPrepared(store.database, statement)).buffers
    const startedAt = performance.now()
    const answer = await run()
    milliseconds += performance.now() - startedAt
    return answer
  }
  const database: Database = databaseThat(store.database, {
    eachRow: (query, ...rest) => measuring(query, () => store.database.eachRow(query, ...rest)),
    bytes: (query, ...rest) => measuring(query, () => store.database.bytes(query, ...rest)),
  })
  const sources = rowSourcesOf(database, { elapsed: () => 0 })
  const request: PageRequest = {
    endpoint: 'searchObjects',
    pageSize,
    pageToken: undefined,
    snapshot: mode.kind === 'snapshot',
    select: undefined,
    filters: [],
    ...way,
  }
  let walk: Walk | undefined
  const begun = { id: 'hot', mode, order: undefined, total: undefined, served: 0 }
  for (;;) {
    const plan = await planPage({
      type,
      request,
      claims: {},
      walk,
      estimate: (...asked) => store.estimateMatches(type, ...asked),
    })
    const at = mode.kind === 'snapshot' ? mode : plan.at
    const page = await readPage(sources, { ...plan, at })
    objects += page.objects
    if (page.position === undefined) return { objects, blocks, milliseconds }
    walk = { ...begun, order: chosenOrder(plan, request), served: objects, position: page.position }
  }
}
