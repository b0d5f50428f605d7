// Fewer generated queries than in every-query-equals-a-plain-search.generated.pg.test.ts, but end to end: bodies, query strings,
// tokens and totals of both revisions.
import { forAllTests } from '@octavo/dev-database/vitest'
import { beforeAll, expect, it } from 'vitest'
import {
  expectedOrder,
  type GeneratedType,
  generateFilters,
  generateObject,
  generateQuery,
  generateType,
  matchesFilters,
  matchesQuery,
  type Properties,
  seededRandom,
} from '@octavo/model'
import type { OrderByKey } from '../../src/read/request/page-request.ts'
import { answerOf } from '../support/answer-of.ts'
import { many, seed } from '../support/generated-cases.ts'
import { putItems } from '../support/load-items.ts'
import { jsonBody } from '../support/page-revisions.ts'
import { serveOnFreshDatabase } from '../support/serve-on-fresh-database.ts'
import { contentOf, type WirePage } from '../support/walk-over-http.ts'

const types = many(4)
const random = seededRandom(seed(77))

const service = forAllTests(serveOnFreshDatabase)
const collections: { readonly generated: GeneratedType; readonly objects: readonly Properties[] }[] = []

beforeAll(async () => {
  for (let i = 0; i < types; i += 1) {
    const generated = generateType(random, `generated${i}`)
    const type = await service.store.applyObjectType(service.ontology, generated.definition)
    const objects = Array.from({ length: 80 }, (_, number) =>
      generateObject(random, generated.definition, { number, edition: number }),
    )
    await putItems(service.store, type, objects)
    collections.push({ generated, objects })
  }
})

type Ask = (pageToken: string | undefined) => readonly [path: string, init?: ReturnType<typeof jsonBody>]

async function walk(ask: Ask): Promise<readonly WirePage[]> {
  const pages: WirePage[] = []
  let pageToken: string | undefined
  do {
    const page = await contentOf<WirePage>(answerOf(service, ...ask(pageToken)))
    if (page.data.length === 0 && (pages.length > 0 || page.nextPageToken !== undefined))
      throw new Error('an empty page')
    pages.push(page)
    pageToken = page.nextPageToken
  } while (pageToken !== undefined)
  return pages
}

const editions = (objects: readonly Properties[]) => objects.map((object) => String(object['edition']))
const editionsOf = (pages: readonly WirePage[]) =>
  editions(pages.flatMap((page) => page.data.map((record) => record.properties)))

interface Compared {
  readonly generated: GeneratedType
  readonly matching: readonly Properties[]
  readonly orderBy: readonly OrderByKey[]
  readonly pages: readonly WirePage[]
}

/** Both unchanged if an order was requested, otherwise both sorted: then the service chooses the order (P41). */
function compared({ generated, matching, orderBy, pages }: Compared) {
  const got = editionsOf(pages)
  if (orderBy.length === 0) return { got: got.toSorted(), expected: editions(matching).toSorted() }
  return { got, expected: editions(matching.toSorted(expectedOrder(generated.definition, orderBy))) }
}

it('P84: generated bodies of revision 2.0 find what a plain search finds', async () => {
  for (let i = 0; i < 120; i += 1) {
    const { generated, objects } = collections[i % types] ?? {
      generated: generateType(random, 'x'),
      objects: [],
    }
    const query = generateQuery(random, generated, 3)
    const orderBy = random.chance(0.5)
      ? []
      : random.pick(generated.orders as readonly [readonly OrderByKey[]])
    const snapshot = random.chance(0.3)
    const matching = objects.filter((object) => matchesQuery(generated.definition, query, object))
    const pageSize = matching.length < 15 ? random.pick([1, 4]) : random.pick([20, 100])
    const fields = orderBy.map(({ property, direction }) => ({ field: property, direction }))
    const pages = await walk((pageToken) => [
      `/api/promised/v1/objects/types/${generated.definition.apiName}/search`,
      jsonBody({ query, pageSize, snapshot, pageToken, ...(fields.length > 0 && { orderBy: { fields } }) }),
    ])
    const { got, expected } = compared({ generated, matching, orderBy, pages })
    expect(got, JSON.stringify({ query, orderBy })).toEqual(expected)
  }
})

it('P63, P68: generated filters of revision 1.0 list what they mean, and count it', async () => {
  for (let i = 0; i < 120; i += 1) {
    const { generated, objects } = collections[i % types] ?? {
      generated: generateType(random, 'x'),
      objects: [],
    }
    const filters = generateFilters(random, generated)
    const orderBy = random.chance(0.5)
      ? []
      : random.pick(generated.orders as readonly [readonly OrderByKey[]])
    const matching = objects.filter((object) => matchesFilters(filters, object))
    const parameters = new URLSearchParams({ pageSize: String(matching.length < 15 ? 2 : 50) })
    for (const { field, operator, values } of filters) {
      for (const value of values)
        parameters.append(`${random.pick(['p', 'properties'])}.${field.property}.${operator}`, value)
    }
    if (random.chance(0.3)) parameters.set('snapshot', 'true')
    if (orderBy.length > 0)
      parameters.set('orderBy', orderBy.map((key) => `p.${key.property}:${key.direction}`).join())
    const pages = await walk((pageToken) => {
      if (pageToken !== undefined) parameters.set('pageToken', pageToken)
      return [
        `/api/v1/ontologies/${service.ontology.rid}/objects/${generated.definition.apiName}?${parameters.toString()}`,
      ]
    })
    const { got, expected } = compared({ generated, matching, orderBy, pages })
    expect(got, parameters.toString()).toEqual(expected)
    for (const page of pages) expect(page.totalCount, parameters.toString()).toBe(String(matching.length))
  }
})
