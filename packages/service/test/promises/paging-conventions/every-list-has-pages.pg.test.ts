// What the paging conventions say of every endpoint that returns several objects. The sentences are numbered in their order; the other
// files of this folder have the rest.
import { forAllTests } from '@octavo/dev-database/vitest'
import { beforeAll, expect, it } from 'vitest'
import { answerOf } from '../../support/answer-of.ts'
import { refusalOf } from '../../support/error-answer.ts'
import { collectionOf, itemDefinition } from '../../support/load-items.ts'
import { manageOverHttp, put } from '../../support/manage-over-http.ts'
import { jsonBody, searching } from '../../support/page-revisions.ts'
import { serveOnFreshDatabase } from '../../support/serve-on-fresh-database.ts'
import { newTokenOf } from '../../support/test-access.ts'
import { readPage, type WirePage } from '../../support/walk-over-http.ts'
import { hasOfficialClients } from '../../support/wings-there.ts'

const service = forAllTests(serveOnFreshDatabase)
let fromSnapshotToken: string | undefined

/** A type with several of everything that is listed. */
beforeAll(async () => {
  const { store, ontology } = service
  await store.applyOntology({ apiName: 'elsewhere', displayName: 'Elsewhere' })
  const type = await store.applyObjectType(ontology, {
    ...itemDefinition('item'),
    properties: {
      id: { type: 'string' },
      rank: { type: 'integer' },
      chief: { type: 'string', searchable: true },
    },
    titleProperty: 'id',
    links: { chief: { objectType: 'item', foreignKeyProperty: 'chief', reverse: 'staff' } },
  })
  await store.applyObjectType(ontology, itemDefinition('other'))
  const collection = collectionOf(ontology, type)
  ;({ snapshotToken: fromSnapshotToken } = await readPage(service, searching, collection, { snapshot: true }))
  const manage = manageOverHttp(service)
  for (const rank of [1, 2]) {
    const objects = ['a', 'b', 'c'].map((id) => put({ id, rank, chief: 'a' }))
    const source = { type: 'source', name: `source${rank}`, order: 'integer', position: '1' }
    await manage.commit([source, ...objects], { objectType: 'item' })
    await manage.request('POST', 'loads', { objectTypes: ['item'] })
    await manage.request('PUT', `grants/subjects/reader${rank}`, { role: 'reader' })
    await newTokenOf(store, { subject: `reader${rank}` })
  }
})

const family = '/api/{apiFamily}/v1/objects/types'
const type = `${family}/{objectType}`
const revision1 = '/api/v1/ontologies'
const v2 = '/api/v2/ontologies/{ontology}'
const managed = '/manage/v1/ontologies/{ontology}'
const set = { objectSet: { type: 'base', objectType: 'item' } }
const query = { type: 'empty' }

const lists: Readonly<Record<string, (() => object) | undefined>> = {
  [`get ${revision1}`]: undefined,
  [`get ${revision1}/{ontology}/objectTypes`]: undefined,
  [`get ${revision1}/{ontology}/objects/{objectType}`]: undefined,
  [`get ${revision1}/{ontology}/objects/{objectType}/{primaryKey}/links/{link}`]: undefined,
  [`get ${family}`]: undefined,
  [`get ${type}/commits`]: undefined,
  [`get ${type}/objects/{primaryKey}/versions`]: undefined,
  [`get ${type}/objects/{primaryKey}/links/{link}`]: undefined,
  [`post ${type}/search`]: () => ({ query }),
  [`post ${type}/links/{link}/search`]: () => ({ query }),
  [`post ${type}/links/{link}/pairs`]: () => ({}),
  [`post ${type}/changes`]: () => ({ fromSnapshotToken }),
  ...(hasOfficialClients && {
    [`get ${v2}/objectTypes`]: undefined,
    [`get ${v2}/objectTypes/{objectType}/outgoingLinkTypes`]: undefined,
    [`get ${v2}/objects/{objectType}`]: undefined,
    [`get ${v2}/objects/{objectType}/{primaryKey}/links/{link}`]: undefined,
    [`post ${v2}/objects/{objectType}/search`]: () => ({}),
    [`post ${v2}/objectSets/loadObjects`]: () => set,
    [`post ${v2}/objectSets/loadObjectsMultipleObjectTypes`]: () => set,
  }),
  'get /manage/v1/ontologies': undefined,
  'get /manage/v1/accessTokens': undefined,
  [`get ${managed}/objectTypes`]: undefined,
  [`get ${managed}/loads`]: undefined,
  [`get ${managed}/sources`]: undefined,
  [`get ${managed}/grants`]: undefined,
  [`get ${managed}/audit`]: undefined,
}

/** Groups and partitions are no objects, and the ontologies of v2 are a list that its clients want whole. */
const withoutPages = [
  `post ${type}/aggregate`,
  `post ${type}/partitions`,
  `post ${revision1}/{ontology}/objects/{objectType}/aggregate`,
  ...(hasOfficialClients
    ? [
        `post ${v2}/objects/{objectType}/aggregate`,
        `post ${v2}/objectSets/aggregate`,
        'get /api/v2/ontologies',
      ]
    : []),
]

interface Schema {
  readonly $ref?: string
  readonly properties?: object
}
interface Operation {
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, { readonly schema: Schema }>> }>
  >
}
interface Described {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
}

it('S1, S3: every endpoint that returns several objects is one of these lists', async () => {
  const { paths, components } = JSON.parse((await answerOf(service, '/openapi.json')).text) as Described
  const hasData = ({ responses }: Operation) => {
    const schema: Schema = responses['200']?.content?.['application/json']?.schema ?? {}
    const whole = components.schemas[schema.$ref?.replace('#/components/schemas/', '') ?? ''] ?? schema
    return 'data' in (whole.properties ?? {})
  }
  const described = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, operation]) =>
      hasData(operation) ? [`${method} ${path}`] : [],
    ),
  )
  expect(described.toSorted()).toEqual([...Object.keys(lists), ...withoutPages].toSorted())
})

interface Paging {
  readonly pageSize?: number
  readonly pageToken?: string | undefined
}

const values = (): Readonly<Record<string, string>> => ({
  ontology: service.ontology.rid,
  apiFamily: 'promised',
  objectType: 'item',
  primaryKey: 'a',
  link: 'staff',
})

it.for(Object.entries(lists))(
  'S1, S3, S22, S23, S24, S25, S26, S27: %s is read by pageToken and pageSize',
  async ([endpoint, bodyOf]) => {
    const path = endpoint
      .replace(/^\w+ /, '')
      .replaceAll(/\{(\w+)\}/g, (_, name: string) => values()[name] ?? '')
    const ask = (paging: Paging) => {
      if (bodyOf !== undefined) return answerOf(service, path, jsonBody({ ...bodyOf(), ...paging }))
      const { pageSize = 1, pageToken } = paging
      const token = pageToken === undefined ? '' : `&pageToken=${pageToken}`
      return answerOf(service, `${path}?pageSize=${pageSize}${token}`)
    }
    const page = async (paging: Paging) => {
      const { status, text } = await ask(paging)
      expect(status, text).toBe(200)
      return JSON.parse(text) as WirePage
    }
    const walked: unknown[] = []
    const tokens: string[] = []
    do {
      const { data, nextPageToken } = await page({ pageSize: 1, pageToken: tokens.at(-1) })
      expect(data.length).toBeLessThanOrEqual(1)
      walked.push(...data)
      if (nextPageToken === undefined) break
      tokens.push(nextPageToken)
    } while (walked.length < 100)
    expect(walked.length).toBeGreaterThan(1)
    const { data } = await page({ pageSize: 1_000 })
    // The audit has these requests too.
    expect(data).toEqual(endpoint.endsWith('/audit') ? expect.arrayContaining(walked) : walked)
    expect(refusalOf(await ask({ pageToken: 'x' }))).toMatchObject({ errorName: 'InvalidPageToken' })
    if (bodyOf === undefined) return
    const inQuery = await answerOf(service, `${path}?pageToken=${tokens[0]}`, jsonBody(bodyOf()))
    expect(refusalOf(inQuery)).toMatchObject({ errorName: 'UnknownParameter' })
  },
)
