// Every aggregate is exactly that of a plain computation in memory, and one that is too expensive is refused before it reads.
import { withCluster } from '../harness/with-store.ts'
import {
  aggregated,
  generateAggregate,
  generateAllowedQuery,
  generateCaller,
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
import type { ObjectTypeDefinition, Query } from '@octavo/protocol'
import { itemDefinition, items, putItems } from '../../packages/service/test/support/load-items.ts'
import { openTestStore } from '../../packages/service/test/support/open-test-store.ts'
import { jsonBody } from '../../packages/service/test/support/page-revisions.ts'
import { serveClaims, type ClaimsService } from '../../packages/service/test/support/serve-claims.ts'
import { partOf } from '../../packages/service/test/support/put-object.ts'
import { startTestService } from '../../packages/service/test/support/start-test-service.ts'
import { promisedOntology } from '../../packages/service/test/support/promised-ontology.ts'
import { median } from '../harness/statistics.ts'
import { expect, type Proof } from '../harness/prove.ts'

const apiFamily = 'aggregated'
const casesPerType = 10

export async function proveAggregates(proof: Proof): Promise<void> {
  const cases = proof.short ? 100 : 3_000
  await proof.point(
    'Generated aggregates are those of a plain computation, latest and in earlier states',
    () => withCluster({}, ({ url }) => compareAll(proof, url, cases)),
  )
  await proof.point('An aggregate over the budget is refused in under 50 ms', () =>
    withCluster({}, ({ url }) => refuseQuickly(proof, url)),
  )
}

interface Tally {
  cases: number
  earlier: number
  guarded: number
  groups: number
  refused: number
  commits: number
}

async function compareAll(proof: Proof, databaseUrl: string, cases: number): Promise<string> {
  const tally: Tally = { cases: 0, earlier: 0, guarded: 0, groups: 0, refused: 0, commits: 0 }
  const store = openTestStore({ databaseUrl })
  const service = await serveClaims(store)
  try {
    const ontology = await store.applyOntology({
      apiName: apiFamily,
      displayName: 'Aggregated',
      apiFamilies: [apiFamily],
    })
    for (let number = 0; tally.cases < cases; number += 1) {
      const random = seededRandom(41).branch(number)
      const generated = generateType(random, `aggregated.t${number}`)
      const policy = number % 2 === 1 ? generatePolicy(random, generated) : undefined
      const definition: ObjectTypeDefinition = {
        ...generated.definition,
        properties: withCounted(generated.definition, random.branch(1)),
        ...(policy && { policy: policy.policy }),
      }
      const type = await store.applyObjectType(ontology, definition)
      const written = new WrittenObjects((drawn, state) => generateObject(drawn, definition, state))
      const write = async (numbers: readonly number[], deletes = 0) => {
        await store.commit({ parts: [partOf(type, written.write(random, numbers, deletes))] })
        tally.commits += 1
      }
      await write(Array.from({ length: random.integer(5, 60) }, (_, one) => one))
      const earlier: Named[] = []
      for (let i = 0; i < casesPerType && tally.cases < cases; i += 1) {
        const caller = policy && generateCaller(random, policy)
        const claims = caller?.claims ?? {}
        if (random.chance(0.3)) {
          const snapshotToken = await nameState(service, claims, definition.apiName)
          earlier.push({ snapshotToken, objects: [...written.current.values()] })
        }
        const named = earlier.length > 0 && random.chance(0.5) ? random.pick(earlier as [Named]) : undefined
        if (random.chance(0.4))
          await write(
            [0, 1, 2, 3].map(() => random.integer(0, 60)),
            0.3,
          )
        const query = random.chance(0.6) ? generateAllowedQuery(random, generated, 2) : undefined
        const isVisible = policy && caller ? isVisibleTo(definition, policy.policy, caller) : () => true
        const objects = (named?.objects ?? [...written.current.values()]).filter(
          (object) => isVisible(object) && (query === undefined || matchesQuery(definition, query, object)),
        )
        await compareOne({ random, service, claims, definition, objects, named, query, tally, number })
        if (policy) tally.guarded += 1
        if (named) tally.earlier += 1
        if (tally.cases % 500 === 0) proof.say(`${tally.cases} cases`)
      }
    }
  } finally {
    await service.close()
    await store.database.close()
  }
  expect(
    tally.earlier > cases / 10 && tally.guarded > cases / 10,
    `too few of a kind: ${JSON.stringify(tally)}`,
  )
  return `0 different of ${Object.entries(tally)
    .map(([name, value]) => `${value} ${name}`)
    .join(', ')}`
}

/** Half of the properties that can be counted are; not strings that may be long. */
function withCounted({ primaryKey, properties }: ObjectTypeDefinition, random: Random) {
  const countable = new Set<unknown>(['boolean', 'integer', 'long'])
  return Object.fromEntries(
    Object.entries(properties).map(([name, property]) => [
      name,
      name !== primaryKey &&
      (countable.has(property.type) || (property.type === 'string' && property.sortable)) &&
      random.chance(0.5)
        ? { ...property, counted: true }
        : property,
    ]),
  )
}

interface Named {
  readonly snapshotToken: string
  readonly objects: readonly Properties[]
}

async function nameState(service: ClaimsService, claims: object, objectType: string): Promise<string> {
  const path = `/api/${apiFamily}/v1/objects/types/${objectType}/search`
  const body = jsonBody({ query: { type: 'empty' }, snapshot: true, pageSize: 1_000, select: [] })
  const response = await service.as({ ...claims }).fetch(path, body)
  const { snapshotToken } = (await response.json()) as { readonly snapshotToken?: string }
  expect(snapshotToken !== undefined, 'a last page without a snapshot token')
  return snapshotToken
}

interface Case {
  readonly random: Random
  readonly service: ClaimsService
  readonly claims: object
  readonly definition: ObjectTypeDefinition
  readonly objects: readonly Properties[]
  readonly named: Named | undefined
  readonly query: Query | undefined
  readonly tally: Tally
  readonly number: number
}

async function compareOne({
  random,
  service,
  claims,
  definition,
  objects,
  named,
  query,
  tally,
  number,
}: Case) {
  const asked = generateAggregate(random, definition)
  const body = { ...asked, ...(query && { query }), ...(named && { snapshotToken: named.snapshotToken }) }
  const path = `/api/${apiFamily}/v1/objects/types/${definition.apiName}/aggregate`
  const response = await service.as({ ...claims }).fetch(path, jsonBody(body))
  const answer = (await response.json()) as Readonly<Record<string, unknown>>
  const expected = aggregated(definition, asked, objects)
  tally.cases += 1
  if ('tooLarge' in expected) tally.refused += 1
  else tally.groups += expected.data.length
  const { data, excludedItems, errorName, parameters } = answer
  const got =
    errorName === 'AggregationMetricNotSupported' && (parameters as { reason?: string }).reason === 'tooLarge'
      ? { tooLarge: true }
      : response.status === 200
        ? { data, ...(excludedItems !== undefined && { excludedItems }) }
        : answer
  const [left, right] = [JSON.stringify(got), JSON.stringify(expected)]
  expect(left === right, `type ${number}, ${JSON.stringify(body)} gave ${left} instead of ${right}`)
}

/** Of five times the budget, with and without a query. */
async function refuseQuickly(proof: Proof, databaseUrl: string): Promise<string> {
  const budget = 2_000
  const service = await startTestService({
    databaseUrl,
    environment: { OCTAVO_AGGREGATE_OBJECTS: String(budget) },
  })
  try {
    const ontology = await promisedOntology(service.store)
    const type = await service.store.applyObjectType(ontology, {
      ...itemDefinition('items'),
      properties: {
        ...itemDefinition('items').properties,
        rank: { type: 'integer', sortable: true, searchable: true },
      },
    })
    await putItems(service.store, type, items(budget * 5))
    const asks = [undefined, { type: 'gte', field: 'rank', value: 10 }]
    const medians: number[] = []
    for (const query of asks) {
      const body = {
        aggregation: [{ type: 'count' }],
        groupBy: [{ type: 'exact', field: 'rank' }],
        ...(query && { query }),
      }
      const times: number[] = []
      for (let i = 0; i < 50; i += 1) {
        const since = performance.now()
        const response = await service.fetch('/api/promised/v1/objects/types/items/aggregate', jsonBody(body))
        const { errorName } = (await response.json()) as { readonly errorName?: string }
        times.push(performance.now() - since)
        expect(errorName === 'AggregateTooExpensive', `${response.status} ${errorName}`)
      }
      medians.push(median(times))
    }
    // The short form also runs on machines that do other things.
    expect(proof.short || medians.every((milliseconds) => milliseconds < 50), `${medians.join()} ms`)
    return `${medians.map((one) => `${one.toFixed(1)} ms`).join(' without a query, ')} with one, at the median of 50`
  } finally {
    await service.close()
  }
}
