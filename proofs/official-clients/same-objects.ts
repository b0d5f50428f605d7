// Generated types, objects and queries: the official client and our own get the same objects.
import { createClient as ownClient, OctavoError } from '@octavo/client'
import { generateObject, generateQuery, generateType, type Random, seededRandom } from '@octavo/model'
import type { Query } from '@octavo/protocol'
import { createClient, PalantirApiError, type ObjectTypeDefinition, type WhereClause } from '@osdk/client'
import { putObject } from '../../packages/service/test/support/put-object.ts'
import { testToken } from '../../packages/service/test/support/test-access.ts'
import type { ServedCollection } from '../harness/with-store.ts'
import { expect, type Proof } from '../harness/prove.ts'
import { clauseOfQuery, type Clause } from './clause-of-query.ts'

const objectsOfAType = 300

interface Asked {
  readonly query: Query
  readonly clause: Clause
  readonly orderBy: readonly { readonly property: string; readonly direction: 'asc' | 'desc' }[]
}

export async function proveSameObjects(proof: Proof, served: ServedCollection): Promise<void> {
  const [types, queriesOfAType] = proof.short ? [2, 15] : [8, 25]
  const queries = types * queriesOfAType
  await proof.point(
    `${queries} generated queries give the same objects through @osdk/client as through @octavo/client`,
    async () => {
      let [objects, telling, refused] = [0, 0, 0]
      for (let number = 0; number < types; number += 1) {
        const random = seededRandom(31).branch(number)
        const { apiName, ask } = await generatedType(served, random, `generated.t${number}`)
        for (let i = 0; i < queriesOfAType; i += 1) {
          const asked = ask()
          const [theirs, ours] = [await byOsdk(served, apiName, asked), await byOwn(served, apiName, asked)]
          // Without an order the service chooses one, which is the same for both, too.
          expect(
            theirs.join('\n') === ours.join('\n'),
            `${apiName} ${JSON.stringify(asked)}: ${theirs.length} and ${ours.length} objects, first ${theirs[0]?.slice(0, 200)} and ${ours[0]?.slice(0, 200)}`,
          )
          if (ours[0]?.startsWith('refused ') === true) refused += 1
          else objects += ours.length
          if (ours.length > 0 && ours.length < objectsOfAType) telling += 1
        }
      }
      expect(telling > queries / 4, `only ${telling} queries matched some objects and not all`)
      expect(refused < queries / 10, `${refused} queries were refused`)
      return `${queries} queries, ${telling} of which matched some objects and not all, ${objects.toLocaleString('en')} objects compared with all their properties`
    },
  )
}

async function generatedType({ store, ontology }: ServedCollection, random: Random, apiName: string) {
  const generated = generateType(random, apiName)
  const type = await store.applyObjectType(ontology, generated.definition)
  const changes = Array.from({ length: objectsOfAType }, (_, i) =>
    putObject(type, generateObject(random, generated.definition, { number: i, edition: 0 })),
  )
  await store.commit({ parts: [{ type, changes }] })
  const ask = (): Asked => {
    for (;;) {
      const query = generateQuery(random, generated, 2)
      const clause = clauseOfQuery(query)
      const [first, ...rest] = generated.orders
      const orderBy = first === undefined || random.chance(0.5) ? [] : random.pick([first, ...rest])
      if (clause !== undefined) return { query, clause, orderBy }
    }
  }
  return { apiName, ask }
}

async function byOsdk(
  { url, ontology }: ServedCollection,
  apiName: string,
  { clause, orderBy }: Asked,
): Promise<readonly string[]> {
  const type: ObjectTypeDefinition = { type: 'object', apiName }
  const client = createClient(url, ontology.rid, async () => testToken)
  const $orderBy = Object.fromEntries(orderBy.map(({ property, direction }) => [property, direction]))
  const found: string[] = []
  try {
    const set = client(type).where(clause as WhereClause<typeof type>)
    for await (const object of set.asyncIter(orderBy.length === 0 ? {} : { $orderBy })) {
      found.push(textOf(Object.entries(object).filter(([name]) => !name.startsWith('$'))))
    }
    return found
  } catch (error) {
    if (error instanceof PalantirApiError) return [`refused ${error.errorName}`]
    throw error
  }
}

async function byOwn(
  { url }: ServedCollection,
  apiName: string,
  { query, orderBy }: Asked,
): Promise<readonly string[]> {
  const objects = ownClient({ url, token: testToken }).family('proof').objects(apiName)
  const found: string[] = []
  try {
    const walk = objects.search(query, {
      snapshot: true,
      ...(orderBy.length > 0 && {
        orderBy: orderBy.map(({ property, direction }) => ({ field: property, direction })),
      }),
    })
    for await (const { properties } of walk) found.push(textOf(Object.entries(properties)))
    return found
  } catch (error) {
    if (error instanceof OctavoError) return [`refused ${error.errorName}`]
    throw error
  }
}

const textOf = (entries: readonly (readonly [string, unknown])[]): string =>
  JSON.stringify(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)))
