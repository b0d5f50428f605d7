// Random policies, callers, requests and writers, over HTTP, each compared with a plain search in memory.
import {
  expectedOrder,
  generateAllowedQuery,
  generateCaller,
  type GeneratedPolicy,
  type GeneratedType,
  generateObject,
  generatePolicy,
  generateType,
  isVisibleTo,
  generatedKey,
  matchesQuery,
  type ModelCaller,
  type OrderKey,
  type Properties,
  type Random,
  seededRandom,
  WrittenObjects,
} from '@octavo/model'
import type { Ontology } from '../../../src/catalog/ontology.ts'
import type { ObjectType } from '../../../src/catalog/object-type.ts'
import type { TestStore } from '../open-test-store.ts'
import { listing, searching, searchingFor } from '../page-revisions.ts'
import { partOf } from '../put-object.ts'
import { identities, same } from './identities.ts'
import { sealerWith } from '../reseal-token.ts'
import { walkOverHttp, type HttpWalk, type WirePage } from '../walk-over-http.ts'
import type { ClaimsService } from '../serve-claims.ts'

export interface PolicyRunOptions {
  readonly store: TestStore
  readonly service: ClaimsService
  readonly ontology: Ontology
  readonly apiFamily: string
  readonly seed: number
  readonly types: number
  readonly policiesPerType: number
  readonly callersPerPolicy: number
}

export interface PolicyTally {
  walks: number
  pages: number
  oneByOne: number
  snapshots: number
  /** Callers who may read some objects and not others: only these prove much. */
  telling: number
  /** Callers that lack a fitting claim. */
  closed: number
  totals: number
  commits: number
  singleReads: number
}

const emptyPolicyTally = (): PolicyTally => ({
  walks: 0,
  pages: 0,
  oneByOne: 0,
  snapshots: 0,
  telling: 0,
  closed: 0,
  totals: 0,
  commits: 0,
  singleReads: 0,
})

/** Throws at the first difference, with what is needed to reproduce it. */
export async function runPolicies(options: PolicyRunOptions): Promise<PolicyTally> {
  const tally = emptyPolicyTally()
  for (let i = 0; i < options.types; i += 1) {
    const random = seededRandom(options.seed).branch(i)
    const generated = generateType(random, `guarded.s${options.seed}.t${i}`)
    const written = new WrittenObjects((drawn, state) => generateObject(drawn, generated.definition, state))
    const count = random.integer(15, 60)
    for (let number = 0; number < options.policiesPerType; number += 1) {
      const policy = generatePolicy(random, generated)
      const type = await options.store.applyObjectType(options.ontology, {
        ...generated.definition,
        policy: policy.policy,
      })
      const write = (numbers: readonly number[], deletes = 0) =>
        options.store.commit({ parts: [partOf(type, written.write(random, numbers, deletes))] })
      if (number === 0) await write(Array.from({ length: count }, (_, one) => one))
      for (let c = 0; c < options.callersPerPolicy; c += 1) {
        const caller = generateCaller(random, policy)
        const writeSome = () =>
          write(
            [0, 1, 2].map(() => random.integer(0, count)),
            0.3,
          )
        const context = {
          options,
          generated,
          type,
          policy,
          caller,
          state: written.current,
          random,
          writeSome,
          tally,
        }
        try {
          await checkWalk(context)
          await checkSingleReads(context, count)
        } catch (error) {
          const reason = error instanceof Error ? (error.stack ?? error.message) : String(error)
          throw new Error(
            `seed ${options.seed}, type ${i}, policy ${number}, caller ${c}: ${reason}\n${JSON.stringify({ policy: policy.policy, caller })}`,
            { cause: error },
          )
        }
      }
    }
  }
  return tally
}

interface PolicyContext {
  readonly options: PolicyRunOptions
  readonly generated: GeneratedType
  readonly type: ObjectType
  readonly policy: GeneratedPolicy
  readonly caller: ModelCaller
  /** The current objects, by key. */
  readonly state: ReadonlyMap<string, Properties>
  readonly random: Random
  readonly writeSome: () => Promise<unknown>
  readonly tally: PolicyTally
}

async function checkWalk(context: PolicyContext): Promise<void> {
  const { options, generated, policy, caller, state, random, writeSome, tally } = context
  const { definition } = generated
  const query = random.chance(0.4) ? generateAllowedQuery(random, generated, 2) : undefined
  const revision = query === undefined ? random.pick([listing, searching] as const) : searchingFor(query)
  const isVisible = isVisibleTo(definition, policy.policy, caller)
  const isWanted = (object: Properties) =>
    isVisible(object) && (query === undefined || matchesQuery(definition, query, object))
  const orderBy = random.chance(0.6)
    ? undefined
    : random.pick(generated.orders as readonly [readonly OrderKey[]])
  const snapshot = random.chance(0.5)
  const writers = random.chance(0.3)
  const size = random.pick([1, 1, 2, 7, 100])
  const before = [...state.values()]
  const wanted = before.filter(isWanted)
  const seen = new Set(identities(wanted))
  const pages: WirePage[] = []
  await walkOverHttp(
    options.service.as(caller.claims),
    revision,
    { ontologyRid: options.ontology.rid, apiFamily: options.apiFamily, objectType: definition.apiName },
    {
      snapshot,
      ...(orderBy && { orderBy }),
      pageSize: () => size,
      afterPage: async (page, number) => {
        pages.push(page)
        if (!writers || number > 20) return
        await writeSome()
        tally.commits += 1
        for (const one of identities([...state.values()].filter(isWanted))) seen.add(one)
      },
    },
  ).catch((error: unknown) => {
    // All remaining objects may have been changed after the page that promised them.
    const mayBeEmpty = writers && !snapshot && String(error).endsWith('a page after the first is empty')
    if (!mayBeEmpty) throw error
  })
  const walk = { pages, records: pages.flatMap((page) => page.data) }
  count(tally, { walk, snapshot, size, caller, telling: wanted.length > 0 && wanted.length < before.length })
  checkTokens(walk, definition.properties['id']?.type)
  const got = identities(walk.records.map(({ properties }) => properties))
  const leaked = got.find((one) => !seen.has(one))
  if (leaked !== undefined) throw new Error(`${leaked} was returned and never visible`)
  if (revision === listing) {
    tally.totals += 1
    const total = walk.pages[0]?.totalCount
    if (total !== String(wanted.length)) throw new Error(`${total} in total instead of ${wanted.length}`)
  }
  if (writers && !snapshot) {
    const still = new Set(state.values())
    // In key order, and keys never change, each object that stays is returned exactly once.
    if (orderBy === undefined && query === undefined) {
      for (const one of identities(wanted.filter((object) => still.has(object)))) {
        if (got.filter((other) => other === one).length !== 1)
          throw new Error(`${one} stayed and was not returned once`)
      }
    }
    return
  }
  const order = orderBy ?? (query === undefined ? [{ property: 'id', direction: 'asc' } as const] : undefined)
  const expected = order === undefined ? wanted : wanted.toSorted(expectedOrder(definition, order))
  if (order === undefined) same(got.toSorted(), identities(expected).toSorted(), 'the objects')
  else same(got, identities(expected), 'the objects or their order')
}

interface Counted {
  readonly walk: HttpWalk
  readonly snapshot: boolean
  readonly size: number
  readonly caller: ModelCaller
  readonly telling: boolean
}

function count(tally: PolicyTally, { walk, snapshot, size, caller, telling }: Counted): void {
  tally.walks += 1
  tally.pages += walk.pages.length
  if (size === 1 && walk.pages.length > 1) tally.oneByOne += 1
  if (snapshot) tally.snapshots += 1
  if (telling) tally.telling += 1
  if (!caller.fits) tally.closed += 1
}

/** Even when opened, a token reveals the last object that was returned and no hidden object after it. */
function checkTokens({ pages }: HttpWalk, keyType: unknown): void {
  if (keyType === 'timestamp') return
  for (const { data, nextPageToken } of pages) {
    if (nextPageToken === undefined) continue
    const claims = sealerWith().open(nextPageToken)
    if (claims === undefined) throw new Error('a token that cannot be opened')
    const key = claims.walk.position?.at(-1)
    const last = String(data.at(-1)?.properties['id'])
    if (key !== last) throw new Error(`a token tells of ${key} after ${last}`)
  }
}

/** The answer for a hidden object is exactly that for one that never existed. */
async function checkSingleReads(context: PolicyContext, count: number): Promise<void> {
  const { options, generated, policy, caller, state, random, tally } = context
  const { definition } = generated
  const isVisible = isVisibleTo(definition, policy.policy, caller)
  const read = async (id: unknown) => {
    const path = `/api/v1/ontologies/${options.ontology.rid}/objects/${definition.apiName}/${encodeURIComponent(String(id))}`
    const response = await options.service.as(caller.claims).fetch(path)
    const text = (await response.text()).replace(/"errorInstanceId":"[^"]*"/, '')
    return { status: response.status, text }
  }
  const never = generatedKey(definition, 99_999)
  const missing = await read(never)
  for (let i = 0; i < 4; i += 1) {
    const id = generatedKey(definition, random.integer(0, count))
    const object = state.get(String(id))
    const answer = await read(id)
    tally.singleReads += 1
    const visible = object !== undefined && isVisible(object)
    if ((answer.status === 200) !== visible)
      throw new Error(`${String(id)} is ${visible ? 'visible' : 'hidden'}: ${answer.status} ${answer.text}`)
    const asMissing = missing.text.replaceAll(JSON.stringify(String(never)).slice(1, -1), () =>
      JSON.stringify(String(id)).slice(1, -1),
    )
    if (!visible && answer.text !== asMissing)
      throw new Error(`${String(id)}: ${answer.text} tells it from what never was: ${asMissing}`)
  }
}
