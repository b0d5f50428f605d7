// Changes under random policies, with random queries and callers: each difference is that of what the caller could see and can see,
// by a plain search in memory, and names nothing else.
import {
  generateAllowedQuery,
  generateCaller,
  type GeneratedType,
  generateObject,
  generatePolicy,
  generateType,
  isVisibleTo,
  matchesQuery,
  type Properties,
  type Random,
  seededRandom,
  WrittenObjects,
} from '@octavo/model'
import type { Query } from '@octavo/protocol'
import type { ObjectType, Ontology, Store } from '../../packages/service/test/inside.ts'
import {
  askForChanges,
  readChanges,
  readState,
} from '../../packages/service/test/support/changes-over-http.ts'
import { withStore } from '../harness/with-store.ts'
import { serveClaims, type ClaimsService } from '../../packages/service/test/support/serve-claims.ts'
import { partOf } from '../../packages/service/test/support/put-object.ts'
import { expect, type Proof } from '../harness/prove.ts'

const apiFamily = 'proof'
const casesPerType = 20

export async function proveHiddenChanges(proof: Proof): Promise<void> {
  const cases = proof.short ? 60 : 2_000
  await proof.point(
    `${cases} differences with generated policies, queries and callers name only what the caller could see or can see`,
    () => showCases(proof, cases),
  )
}

interface Tally {
  cases: number
  puts: number
  deletes: number
  /** Objects that changed and that the caller could not see, neither before nor after. */
  hidden: number
  refused: number
}

interface World {
  readonly store: Store
  readonly ontology: Ontology
  readonly service: ClaimsService
}

async function showCases(proof: Proof, cases: number): Promise<string> {
  const seed = Date.now() % 1_000_000
  proof.say(`seed ${seed}`)
  const tally: Tally = { cases: 0, puts: 0, deletes: 0, hidden: 0, refused: 0 }
  await withStore({}, async ({ store, ontology }) => {
    const service = await serveClaims(store)
    for (let i = 0; tally.cases < cases; i += 1) {
      const random = seededRandom(seed).branch(i)
      const generated = generateType(random, `hidden.t${i}`)
      await new GuardedType({ store, ontology, service }, generated, random).run(tally)
    }
    await service.close()
  })
  expect(tally.hidden > tally.cases && tally.deletes > 0, 'the cases show nothing')
  const number = (value: number) => value.toLocaleString('en')
  return `${number(tally.puts)} puts and ${number(tally.deletes)} deletions, all right; ${number(tally.hidden)} changes of objects that the caller saw neither before nor after, none named; ${number(tally.refused)} callers with other claims than before refused`
}

class GuardedType {
  readonly #world: World
  readonly #generated: GeneratedType
  readonly #random: Random
  readonly #written: WrittenObjects
  #type: ObjectType | undefined

  constructor(world: World, generated: GeneratedType, random: Random) {
    this.#world = world
    this.#generated = generated
    this.#random = random
    this.#written = new WrittenObjects((drawn, state) => generateObject(drawn, generated.definition, state))
  }

  async run(tally: Tally): Promise<void> {
    const random = this.#random
    const policy = generatePolicy(random, this.#generated)
    const { definition } = this.#generated
    const { store, ontology } = this.#world
    this.#type = await store.applyObjectType(ontology, { ...definition, policy: policy.policy })
    await this.#write(40)
    for (let i = 0; i < casesPerType; i += 1) {
      const caller = generateCaller(random, policy)
      const query: Query = random.chance(0.5)
        ? generateAllowedQuery(random, this.#generated, 2)
        : { type: 'empty' }
      const isVisible = isVisibleTo(definition, policy.policy, caller)
      const isSeen = (object: Properties | undefined): boolean =>
        object !== undefined && isVisible(object) && matchesQuery(definition, query, object)
      await this.#check(tally, { claims: caller.claims, query, isVisible, isSeen })
      await this.#refuseOther(tally, caller.claims, generateCaller(random, policy).claims)
    }
  }

  async #check(tally: Tally, { claims, query, isVisible, isSeen }: Case): Promise<void> {
    const [objectType, asked] = [this.#generated.definition.apiName, this.#world.service.as(claims)]
    const before = new Map(this.#written.current)
    const { snapshotToken: since } = await readState(asked, { objectType, apiFamily, asks: { query } })
    const commits = this.#random.integer(1, 4)
    for (let i = 0; i < commits; i += 1) await this.#write(this.#random.integer(1, 15))
    const after = this.#written.current
    const pages = await readChanges(asked, {
      objectType,
      apiFamily,
      asks: { fromSnapshotToken: since, query },
      pageSize: () => this.#random.pick([1, 3, 1_000]),
    })
    const changes = new Map(pages.flatMap(({ data }) => data.map((change) => [change.primaryKey, change])))
    const all = pages.reduce((sum, { data }) => sum + data.length, 0)
    expect(all === changes.size, 'an object is named twice')
    for (const key of new Set([...before.keys(), ...after.keys(), ...changes.keys()])) {
      const [was, is] = [before.get(key), after.get(key)]
      const change = changes.get(key)
      const what = `${key} of ${objectType}: ${JSON.stringify({ change, was, is, query })}`
      if (isSeen(is)) {
        expect(was === is || change?.type === 'put', `not shown as a put: ${what}`)
        expect(change?.type !== 'delete', `shown as deleted: ${what}`)
      } else if (isSeen(was)) {
        const reason = is !== undefined && isVisible(is) ? 'left' : 'deleted'
        expect(change?.type === 'delete' && change.reason === reason, `not shown as ${reason}: ${what}`)
      } else {
        expect(change === undefined, `shown though it was never visible: ${what}`)
        if (was !== is) tally.hidden += 1
      }
    }
    tally.cases += 1
    for (const { type } of changes.values()) tally[type === 'put' ? 'puts' : 'deletes'] += 1
  }

  /** A caller with other claims, under this policy, sees other objects: the changes since then would not be all. */
  async #refuseOther(tally: Tally, claims: Case['claims'], others: Case['claims']): Promise<void> {
    const { service } = this.#world
    const objectType = this.#generated.definition.apiName
    const state = await readState(service.as(claims), { objectType, apiFamily, asks: {} })
    const asks = { fromSnapshotToken: state.snapshotToken }
    const answer = await askForChanges(service.as(others), { objectType, apiFamily, asks })
    if (answer.status === 200) return
    expect(answer.text.includes('"accessChanged"'), answer.text)
    tally.refused += 1
  }

  async #write(count: number): Promise<void> {
    const [random, type] = [this.#random, this.#type]
    expect(type !== undefined, 'no type')
    const numbers = Array.from({ length: count }, () => random.integer(0, 50))
    await this.#world.store.commit({ parts: [partOf(type, this.#written.write(random, numbers, 0.3))] })
  }
}

interface Case {
  readonly claims: Parameters<ClaimsService['as']>[0]
  readonly query: Query
  readonly isVisible: (object: Properties) => boolean
  readonly isSeen: (object: Properties | undefined) => boolean
}
