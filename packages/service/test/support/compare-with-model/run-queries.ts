// Generated types, objects and queries; every walk is compared with the result of matchesQuery on the objects in memory.
import {
  expectedOrder,
  type GeneratedType,
  generateObject,
  generateQuery,
  generateType,
  matchesQuery,
  type OrderKey,
  type Properties,
  type Random,
  seededRandom,
  withConditionOn,
  WrittenObjects,
} from '@octavo/model'
import type { Query } from '@octavo/protocol'
import type { ObjectType } from '../../../src/catalog/object-type.ts'
import type { Ontology } from '../../../src/catalog/ontology.ts'
import type { TestStore } from '../open-test-store.ts'
import type { EstimateMatches } from '../../../src/read/plan/choose-access.ts'
import { partOf } from '../put-object.ts'
import { identities, same } from './identities.ts'
import { readFilteredWalk, type FilteredWalk } from './read-filtered-walk.ts'

export interface QueryRunOptions {
  readonly store: TestStore
  readonly ontology: Ontology
  readonly seed: number
  readonly types: number
  readonly queriesPerType: number
  readonly objects: (random: Random) => number
}

export interface QueryTally {
  queries: number
  pages: number
  objects: number
  /** Queries that some but not all objects matched: only these prove much. */
  telling: number
  oneByOne: number
  snapshots: number
  commits: number
  scans: number
  gathers: number
}

const emptyTally = (): QueryTally => ({
  queries: 0,
  pages: 0,
  objects: 0,
  telling: 0,
  oneByOne: 0,
  snapshots: 0,
  commits: 0,
  scans: 0,
  gathers: 0,
})

/** Throws at the first difference, with everything that is needed to reproduce it. */
export async function runQueries(options: QueryRunOptions): Promise<QueryTally> {
  const tally = emptyTally()
  for (let i = 0; i < options.types; i += 1) {
    const random = seededRandom(options.seed).branch(i)
    const collection = await generatedCollection(options, random, `generated.s${options.seed}.t${i}`)
    for (let number = 0; number < options.queriesPerType; number += 1) {
      const { generated } = collection
      const orderBy = random.chance(0.5)
        ? []
        : random.pick(generated.orders as readonly [readonly OrderKey[]])
      const first = orderBy[0]?.property
      const drawn = generateQuery(random, generated, random.chance(0.3) ? 0 : 3)
      const query =
        first !== undefined && random.chance(0.4) ? withConditionOn(random, generated, first, drawn) : drawn
      const context = { collection, query, orderBy, random: random.branch(number), tally }
      try {
        await (random.chance(0.25)
          ? walkAmongWriters(options.store, context)
          : walkAtRest(options.store, context))
      } catch (error) {
        const reason = error instanceof Error ? (error.stack ?? error.message) : String(error)
        throw new Error(
          `seed ${options.seed}, type ${i}, query ${number}: ${reason}\n${JSON.stringify({ query, orderBy })}\n${JSON.stringify(collection.generated.definition.properties)}`,
          { cause: error },
        )
      }
      tally.queries += 1
    }
  }
  return tally
}

interface GeneratedCollection {
  readonly generated: GeneratedType
  readonly type: ObjectType
  readonly written: WrittenObjects
}

async function generatedCollection(
  { store, ontology, objects }: QueryRunOptions,
  random: Random,
  apiName: string,
): Promise<GeneratedCollection> {
  const generated = generateType(random, apiName)
  const type = await store.applyObjectType(ontology, generated.definition)
  const written = new WrittenObjects((drawn, state) => generateObject(drawn, generated.definition, state))
  const count = objects(random)
  for (let from = 0; from < count; from += 1_000) {
    const numbers = Array.from({ length: Math.min(1_000, count - from) }, (_, i) => from + i)
    await store.commit({ parts: [partOf(type, written.write(random, numbers))] })
  }
  if (random.chance(0.5)) await store.database.run(`analyze ${type.tables.current}`)
  return { generated, type, written }
}

interface QueryContext {
  readonly collection: GeneratedCollection
  readonly query: Query
  readonly orderBy: readonly OrderKey[]
  readonly random: Random
  readonly tally: QueryTally
}

const sizes = [1, 2, 5, 13, 50, 200] as const

/** Half of the walks are planned with the database's estimates, half with random ones: no plan may change the result. */
function estimateOf(store: TestStore, type: ObjectType, random: Random): () => EstimateMatches {
  const seed = random.integer(0, 1_000_000)
  if (random.chance(0.5))
    return () =>
      (...asked) =>
        store.estimateMatches(type, ...asked)
  return () => {
    const chance = seededRandom(seed)
    return async (filters) =>
      filters.map(() => ({ objects: chance.integer(0, 5_000), states: chance.integer(0, 5_000) }))
  }
}

async function walkAtRest(
  store: TestStore,
  { collection, query, orderBy, random, tally }: QueryContext,
): Promise<void> {
  const { type, generated, written } = collection
  const matching = matchesOf(generated, query, [...written.current.values()])
  const few = matching.length <= 60
  const size = few ? random.pick(sizes) : random.pick([50, 200, 1_000])
  const estimate = estimateOf(store, type, random)
  const snapshot = random.chance(0.3)
  const walk = () =>
    readFilteredWalk({ store, type, query, orderBy, snapshot, pageSize: () => size, estimate: estimate() })
  const walked = await walk()
  count(tally, {
    walked,
    snapshot,
    size,
    telling: matching.length > 0 && matching.length < written.current.size,
  })
  const got = identities(walked.objects)
  if (orderBy.length > 0) {
    same(
      got,
      identities(matching.toSorted(expectedOrder(generated.definition, orderBy))),
      'the objects or their order',
    )
    return
  }
  same(got.toSorted(), identities(matching).toSorted(), 'the objects')
  if (random.chance(0.3)) same(identities((await walk()).objects), got, 'the order of the second walk')
}

/**
 * Objects change between the pages. At a version the walk sees no change; in the latest state it sees all that did not
 * change.
 */
async function walkAmongWriters(store: TestStore, context: QueryContext): Promise<void> {
  const { collection, query, orderBy, random, tally } = context
  const { type, generated, written } = collection
  const before = [...written.current.values()]
  const snapshot = random.chance(0.6)
  const size = random.pick([1, 5, 20])
  const estimate = estimateOf(store, type, random)
  const seen = new Set(identities(matchesOf(generated, query, before)))
  let pages = 0
  const walked = await readFilteredWalk({
    store,
    type,
    query,
    orderBy,
    snapshot,
    // Keeps the number of pages of a large collection low.
    pageSize: () => (before.length > 300 || (pages += 1) > 15 ? 500 : size),
    estimate: estimate(),
    afterPage: async () => {
      const numbers = Array.from({ length: 3 }, () => random.integer(0, Math.max(20, before.length)))
      await store.commit({ parts: [partOf(type, written.write(random, numbers, 0.2))] })
      tally.commits += 1
      for (const one of identities(matchesOf(generated, query, [...written.current.values()]))) seen.add(one)
    },
  })
  const matching = matchesOf(generated, query, before)
  count(tally, { walked, snapshot, size, telling: matching.length > 0 && matching.length < before.length })
  const got = identities(walked.objects)
  if (snapshot) {
    if (orderBy.length === 0)
      same(got.toSorted(), identities(matching).toSorted(), 'the objects of the version')
    else
      same(
        got,
        identities(matching.toSorted(expectedOrder(generated.definition, orderBy))),
        'the version or its order',
      )
    return
  }
  const still = new Set(written.current.values())
  const unchanged = identities(matching.filter((object) => still.has(object)))
  for (const one of unchanged) {
    const times = got.filter((other) => other === one).length
    if (times !== 1) throw new Error(`${one} did not change and was returned ${times} times`)
  }
  const never = got.find((one) => !seen.has(one))
  if (never !== undefined) throw new Error(`${never} was returned and never matched`)
}

const matchesOf = ({ definition }: GeneratedType, query: Query, objects: readonly Properties[]) =>
  objects.filter((object) => matchesQuery(definition, query, object))

interface Counted {
  readonly walked: FilteredWalk
  readonly snapshot: boolean
  readonly size: number
  readonly telling: boolean
}

function count(tally: QueryTally, { walked, snapshot, size, telling }: Counted): void {
  tally.pages += walked.pages.length
  tally.objects += walked.objects.length
  if (telling) tally.telling += 1
  if (size === 1 && walked.pages.length > 1) tally.oneByOne += 1
  if (snapshot) tally.snapshots += 1
  for (const { access } of walked.plans) {
    if (access?.kind === 'scan') tally.scans += 1
    if (access?.kind === 'gather') tally.gathers += 1
  }
}
