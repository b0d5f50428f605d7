// Random linked types, callers, queries and writers, over HTTP, each compared with the model in memory.
import {
  generateAllowedQuery,
  generateCallerOf,
  generateLinkedObject,
  generateLinkedQuery,
  generateLinkedTypes,
  isVisibleTo,
  linkedMatches,
  type LinkedModel,
  linkedPairs,
  type LinkedType,
  type ModelCaller,
  type ModelLink,
  type Random,
  seededRandom,
  WrittenObjects,
} from '@octavo/model'
import { exceededQueryLimit, type Aggregate, type Query } from '@octavo/protocol'
import type { ObjectType } from '../../../src/catalog/object-type.ts'
import type { Ontology } from '../../../src/catalog/ontology.ts'
import type { TestStore } from '../open-test-store.ts'
import { answerOf } from '../answer-of.ts'
import { searchingFor } from '../page-revisions.ts'
import type { ClaimsService } from '../serve-claims.ts'
import { jsonBody, type Revision } from '../page-revisions.ts'
import { partOf } from '../put-object.ts'
import { identity, same } from './identities.ts'
import type { TestService } from '../start-test-service.ts'
import { walkOverHttp, type WirePage } from '../walk-over-http.ts'

export interface LinkRunOptions {
  readonly store: TestStore
  readonly service: ClaimsService
  readonly ontology: Ontology
  readonly apiFamily: string
  readonly seed: number
  /** How many sets of linked types are generated. */
  readonly sets: number
  readonly queriesPerSet: number
}

export interface LinkTally {
  sets: number
  queries: number
  pages: number
  counts: number
  snapshots: number
  commits: number
  /** Queries that some but not all visible objects matched: only these prove much. */
  telling: number
}

const emptyLinkTally = (): LinkTally => ({
  sets: 0,
  queries: 0,
  pages: 0,
  counts: 0,
  snapshots: 0,
  commits: 0,
  telling: 0,
})

/** Throws at the first difference, with what is needed to reproduce it. */
export async function runLinks(options: LinkRunOptions): Promise<LinkTally> {
  const tally = emptyLinkTally()
  for (let i = 0; i < options.sets; i += 1) {
    const random = seededRandom(options.seed).branch(i)
    const set = await generatedSet(options, random, `linked.s${options.seed}.n${i}`)
    tally.sets += 1
    for (let number = 0; number < options.queriesPerSet; number += 1) {
      const type = random.pick(set.types as readonly [LinkedType, ...LinkedType[]])
      if (type.links.length === 0) continue
      const link = random.chance(0.5) ? undefined : random.pick(type.links as readonly [ModelLink])
      const query =
        link === undefined || random.chance(0.3)
          ? generateLinkedQuery(random, set.types, type)
          : generateAllowedQuery(random, type.generated, 2)
      if (link !== undefined && exceededQueryLimit({ type: 'and', value: [linkedBy(link, query)] })) continue
      try {
        await checkQuery(options, set, { type, link, query, random: random.branch(number), tally })
      } catch (error) {
        const reason = error instanceof Error ? (error.stack ?? error.message) : String(error)
        const definitions = set.types.map(({ generated }) => generated.definition)
        throw new Error(
          `seed ${options.seed}, set ${i}, query ${number} of ${type.generated.definition.apiName}: ${reason}\n${JSON.stringify(query)}\n${JSON.stringify(definitions.map(({ links, policy }) => ({ links, policy })))}`,
          { cause: error },
        )
      }
      tally.queries += 1
    }
  }
  return tally
}

interface LinkedSet {
  readonly types: readonly LinkedType[]
  /** The objects of each type that a caller may read. */
  readonly seenBy: (caller: ReadonlyMap<LinkedType, ModelCaller>) => LinkedModel
  /** Changes some objects of all types in one commit. */
  readonly writeSome: () => Promise<void>
}

async function generatedSet(
  { store, ontology }: LinkRunOptions,
  random: Random,
  prefix: string,
): Promise<LinkedSet> {
  const types = generateLinkedTypes(random, prefix)
  const applied = new Map<LinkedType, ObjectType>()
  for (const type of types)
    applied.set(type, await store.applyObjectType(ontology, type.generated.definition))
  const count = random.integer(5, 30)
  const written = new Map(
    types.map((type) => [
      type,
      new WrittenObjects((drawn, state) => generateLinkedObject(drawn, types, type, { ...state, count })),
    ]),
  )
  const write = async (numbers: () => readonly number[], deletes = 0) => {
    const [first, ...others] = [...written].map(([type, objects]) => {
      const of = applied.get(type)
      if (of === undefined) throw new Error('a type that is not applied')
      return partOf(of, objects.write(random, numbers(), deletes))
    })
    if (first !== undefined) await store.commit({ parts: [first, ...others] })
  }
  await write(() => Array.from({ length: count }, (_, number) => number))
  const some = () => Array.from({ length: random.integer(1, 5) }, () => random.integer(0, count))
  const seenBy: LinkedSet['seenBy'] = (caller) =>
    new Map(
      types.map((type) => {
        const { generated, policy, links } = type
        const { definition } = generated
        const all = [...(written.get(type)?.current.values() ?? [])]
        const of = caller.get(type)
        const isVisible = policy && of ? isVisibleTo(definition, policy.policy, of) : () => true
        return [definition.apiName, { definition, links, objects: all.filter(isVisible) }]
      }),
    )
  return { types, seenBy, writeSome: () => write(some, 0.3) }
}

interface CheckedQuery {
  readonly type: LinkedType
  /** Set if the objects that it leads to are searched, or its pairs. */
  readonly link: ModelLink | undefined
  readonly query: Query
  readonly random: Random
  readonly tally: LinkTally
}

async function checkQuery(
  { service, ontology, apiFamily }: LinkRunOptions,
  set: LinkedSet,
  { type, link, query, random, tally }: CheckedQuery,
): Promise<void> {
  const caller = generateCallerOf(random, set.types)
  const model = set.seenBy(caller)
  const asks = link === undefined ? 'objects' : random.pick(['around', 'pairs'] as const)
  const { wanted, all } = expectedOf(model, { type, link, query }, asks)
  const snapshot = random.chance(0.6)
  const writers = snapshot && random.chance(0.6)
  const pages: WirePage[] = []
  // An object has at most four pairs, and they are always on one page.
  const size = random.pick(asks === 'pairs' ? [4, 7, 100] : [1, 2, 7, 100])
  await walkOverHttp(
    service.as(caller.get(type)?.claims ?? {}),
    { ...searchingFor(query), ...(link && { call: callOf(link, query, asks) }) },
    { ontologyRid: ontology.rid, apiFamily, objectType: type.generated.definition.apiName },
    {
      snapshot,
      pageSize: () => size,
      afterPage: async (page, number) => {
        pages.push(page)
        if (!writers || number > 10) return
        await set.writeSome()
        tally.commits += 1
      },
    },
  )
  if (asks === 'objects' && !writers) {
    const path = `/api/${apiFamily}/v1/objects/types/${type.generated.definition.apiName}/aggregate`
    const count = await countOf(service.as(caller.get(type)?.claims ?? {}), path, query)
    if (count !== wanted.length) throw new Error(`an aggregate counts ${count} instead of ${wanted.length}`)
    tally.counts += 1
  }
  tally.pages += pages.length
  if (snapshot) tally.snapshots += 1
  if (wanted.length > 0 && wanted.length < all) tally.telling += 1
  const got = pages
    .flatMap(({ data }) => data)
    .map((record) =>
      asks === 'pairs'
        ? `${String(record['source'])} ${String(record['target'])}`
        : identity(record.properties),
    )
    .toSorted()
  const what = `${asks} of ${link?.name ?? 'a query'}, ${snapshot ? 'snapshot' : 'default'}, pages of ${size}`
  same(got, wanted.toSorted(), what)
}

/** How many there are, in the latest state. */
async function countOf(service: Pick<TestService, 'fetch'>, path: string, query: Query): Promise<number> {
  const { status, text } = await answerOf(
    service,
    path,
    jsonBody({ query, aggregation: [{ type: 'count' }] }),
  )
  if (status !== 200) throw new Error(`${status} ${text}`)
  return (JSON.parse(text) as Aggregate).data[0]?.metrics[0]?.value as number
}

type Asks = 'objects' | 'around' | 'pairs'

const linkedBy = ({ reverse }: ModelLink, query: Query): Query => ({
  type: 'linked',
  link: reverse,
  query,
})

/** What must be found, and how much there is without the query. */
function expectedOf(
  model: LinkedModel,
  { type, link, query }: Pick<CheckedQuery, 'type' | 'link' | 'query'>,
  asks: Asks,
): { readonly wanted: readonly string[]; readonly all: number } {
  const name = type.generated.definition.apiName
  if (link === undefined)
    return {
      wanted: linkedMatches(model, name, query).map(identity),
      all: model.get(name)?.objects.length ?? 0,
    }
  const pairs = linkedPairs(model, { type: name, link, query })
  const all = linkedPairs(model, { type: name, link, query: { type: 'empty' } }).length
  return asks === 'pairs'
    ? { wanted: pairs.map(({ from, to }) => `${String(from['id'])} ${String(to['id'])}`), all }
    : { wanted: [...new Set(pairs.map(({ to }) => identity(to)))], all }
}

const callOf =
  (link: ModelLink, query: Query, asks: Asks): Revision['call'] =>
  ({ apiFamily, objectType }, { orderBy: _none, ...ask }) => ({
    path: `/api/${apiFamily}/v1/objects/types/${objectType}/links/${link.name}/${asks === 'pairs' ? 'pairs' : 'search'}`,
    init: jsonBody({ ...ask, query }),
  })
