import type { ObjectTypeDefinition } from '@octavo/protocol'
import { forAllTests } from '@octavo/dev-database/vitest'
import { beforeAll, describe, expect, it } from 'vitest'
import { answerOf } from '../support/answer-of.ts'
import { refusalOf } from '../support/error-answer.ts'
import { jsonBody } from '../support/page-revisions.ts'
import { putObject } from '../support/put-object.ts'
import { serveOnFreshDatabase } from '../support/serve-on-fresh-database.ts'
import { defineType } from '../support/define-type.ts'
import { errorNamed } from '../support/named-errors.ts'

const aircraft = defineType('aircraft', { tail: 'string', model: 'string searchable' })

const flight = defineType(
  'flight',
  { number: 'integer', aircraftTail: 'string searchable', stops: 'integer[] searchable', note: 'string' },
  {
    links: {
      aircraft: { objectType: 'aircraft', foreignKeyProperty: 'aircraftTail', reverse: 'flights' },
      stopovers: { objectType: 'flight', foreignKeyProperty: 'stops', reverse: 'stopoverOf' },
    },
  },
)

const service = forAllTests(serveOnFreshDatabase)

beforeAll(async () => {
  const { store, ontology } = service
  const planes = await store.applyObjectType(ontology, aircraft)
  const flights = await store.applyObjectType(ontology, flight)
  const put = (type: typeof planes, objects: readonly object[]) =>
    store.commit({ parts: [{ type, changes: objects.map((object) => putObject(type, { ...object })) }] })
  await put(planes, [
    { tail: 'D-A', model: 'A320' },
    { tail: 'D-B', model: 'A320' },
    { tail: 'D-C', model: 'B738' },
  ])
  await put(flights, [
    { number: 1, aircraftTail: 'D-A', stops: [2, 3, 99] },
    { number: 2, aircraftTail: 'D-A', stops: [3] },
    { number: 3, aircraftTail: 'D-B' },
    // There is no such aircraft.
    { number: 4, aircraftTail: 'D-Z', stops: [98] },
    { number: 5 },
  ])
})

const ask = async (path: string, body?: unknown) => {
  const { status, text } = await answerOf(service, path, body === undefined ? undefined : jsonBody(body))
  return { status, body: JSON.parse(text) as Record<string, unknown> }
}

const post = (path: string, body: object) =>
  ask(`/api/promised/v1/objects/types/${path}`, { query: { type: 'empty' }, ...body })

const keysOf = ({ body }: { readonly body: Record<string, unknown> }) =>
  (body['data'] as readonly { readonly primaryKey: string }[]).map(({ primaryKey }) => primaryKey)

it('P243, P322: the last page names the state of all types that it looked at', async () => {
  const query = { type: 'linked', link: 'flights', query: { type: 'empty' } }
  const first = await post('aircraft/search', { query, snapshot: true })
  const { snapshotToken } = first.body
  const again = await post('aircraft/search', { query, snapshotToken })
  expect(again.status).toBe(200)
  expect(keysOf(again)).toEqual(keysOf(first))
  expect((await post('flight/search', { snapshotToken })).status).toBe(200)
})

describe('P320: a link that does not fit is refused, with what to change', () => {
  const apply = (links: NonNullable<ObjectTypeDefinition['links']>) =>
    service.store.applyObjectType(service.ontology, { ...flight, links })

  it('a property that is not there, or has no index', async () => {
    await expect(
      apply({ plane: { objectType: 'aircraft', foreignKeyProperty: 'aircraftTale', reverse: 'legs' } }),
    ).rejects.toMatchObject({
      parameters: {
        problems: [
          {
            path: '/links/plane/foreignKeyProperty',
            problem: 'aircraftTale is not among the properties (did you mean "aircraftTail"?)',
          },
        ],
      },
    })
    await expect(
      apply({ plane: { objectType: 'aircraft', foreignKeyProperty: 'note', reverse: 'legs' } }),
    ).rejects.toMatchObject({
      parameters: {
        problems: [{ problem: 'note has no index: add "searchable": true to /properties/note' }],
      },
    })
  })

  it('a type that is not there, or has other keys', async () => {
    await expect(
      apply({ plane: { objectType: 'aircrafts', foreignKeyProperty: 'aircraftTail', reverse: 'legs' } }),
    ).rejects.toMatchObject({
      parameters: {
        problems: [
          {
            path: '/links/plane/objectType',
            problem:
              'there is no object type aircrafts in this ontology (did you mean "aircraft"?); if it is new, apply it first',
          },
        ],
      },
    })
    await expect(
      apply({ plane: { objectType: 'aircraft', foreignKeyProperty: 'stops', reverse: 'legs' } }),
    ).rejects.toMatchObject({
      parameters: { problems: [{ problem: 'stops is Array<Integer>, but the keys of aircraft are String' }] },
    })
  })

  it('a name that is taken, on either side', async () => {
    const twice = { objectType: 'aircraft', foreignKeyProperty: 'aircraftTail', reverse: 'flights' }
    await expect(apply({ ...flight.links, plane: twice })).rejects.toMatchObject({
      parameters: {
        problems: [
          { path: '/links/aircraft/reverse' },
          {
            path: '/links/plane/reverse',
            problem: 'aircraft has another link flights: choose another name for this side',
          },
        ],
      },
    })
    await expect(
      apply({ self: { objectType: 'flight', foreignKeyProperty: 'stops', reverse: 'self' } }),
    ).rejects.toMatchObject({
      parameters: { problems: [{ path: '/links/self' }, { path: '/links/self/reverse' }] },
    })
  })
})

it('P321: a link that the type does not have is refused, with those that it has', async () => {
  expect(
    await post('flight/search', { query: { type: 'linked', link: 'plane', query: { type: 'empty' } } }),
  ).toMatchObject({
    status: 404,
    body: errorNamed('LinkTypeNotFound', { link: 'plane', known: ['aircraft', 'stopoverOf', 'stopovers'] }),
  })
})

it('P322: a snapshot token must name the states of all types', async () => {
  const snapshots = '/api/promised/v1/snapshots'
  const query = { type: 'linked', link: 'flights', query: { type: 'empty' } }
  const one = await ask(snapshots, { objectTypes: ['aircraft'] })
  expect(await post('aircraft/search', { query, snapshotToken: one.body['snapshotToken'] })).toMatchObject({
    status: 400,
    body: errorNamed('InvalidSnapshotToken', { reason: 'otherObjectType', objectType: 'flight' }),
  })
  const both = await ask(snapshots, { objectTypes: ['aircraft', 'flight'] })
  expect(keysOf(await post('aircraft/search', { query, snapshotToken: both.body['snapshotToken'] }))).toEqual(
    ['D-A', 'D-B'],
  )
})

it('P324: a key that no object has leads to nothing', async () => {
  const leadsNowhere = {
    type: 'and',
    value: [
      { type: 'isNull', field: 'aircraftTail', value: false },
      { type: 'not', value: { type: 'linked', link: 'aircraft', query: { type: 'empty' } } },
    ],
  }
  expect(keysOf(await post('flight/search', { query: leadsNowhere }))).toEqual(['4'])
})

it('P325: changes and parts follow no links', async () => {
  const query = { type: 'linked', link: 'aircraft', query: { type: 'empty' } }
  const { body } = await ask('/api/promised/v1/snapshots', { objectTypes: ['flight'] })
  for (const [endpoint, asks] of [
    ['partitions', { partitionCount: 2 }],
    ['changes', { fromSnapshotToken: body['snapshotToken'] }],
  ] as const) {
    const answer = await ask(`/api/promised/v1/objects/types/flight/${endpoint}`, { query, ...asks })
    expect(answer).toMatchObject({
      status: 400,
      body: { errorName: 'LinkedQueryNotSupported', parameters: { endpoint } },
    })
  }
})

it('P326: the objects that one object is linked to are listed like those of their type', async () => {
  const { rid } = service.ontology
  const list = (path: string) => ask(`/api/v1/ontologies/${rid}/objects/${path}`)
  const flights = await list('aircraft/D-A/links/flights?properties=number&pageSize=1')
  expect(flights).toMatchObject({
    status: 200,
    body: { data: [{ properties: { number: 1 } }], totalCount: '2' },
  })
  const next = await list(
    `aircraft/D-A/links/flights?properties=number&pageSize=1&pageToken=${String(flights.body['nextPageToken'])}`,
  )
  expect(next.body).toMatchObject({ data: [{ properties: { number: 2 } }] })
  expect(next.body).not.toHaveProperty('nextPageToken')
  expect((await list('flight/3/links/aircraft')).body).toMatchObject({
    data: [{ properties: { tail: 'D-B', model: 'A320' } }],
  })
  expect((await list('flight/4/links/aircraft')).body).toEqual({ data: [], totalCount: '0', version: '1' })
  // A filter is one of the objects that are listed.
  expect((await list('flight/3/links/aircraft?properties.model.eq=B738')).body).toMatchObject({ data: [] })
  for (const path of ['flight/77/links/aircraft', 'flight/x/links/aircraft']) {
    expect(await list(path)).toMatchObject({ status: 404, body: { errorName: 'ObjectNotFound' } })
  }
})

it('P327: a search around is a search of the other type, each object once', async () => {
  const around = (body: object) => post('flight/links/aircraft/search', body)
  const first = await around({ pageSize: 1, snapshot: true })
  expect(keysOf(first)).toEqual(['D-A'])
  const pageToken = first.body['nextPageToken']
  const second = await around({ pageSize: 1, snapshot: true, pageToken })
  expect(keysOf(second)).toEqual(['D-B'])
  expect(second.body).not.toHaveProperty('nextPageToken')
  // The same request in other words.
  const linked = { type: 'linked', link: 'flights', query: { type: 'empty' } }
  const same = await post('aircraft/search', { query: linked, pageSize: 1, snapshot: true, pageToken })
  expect(same.body['data']).toEqual(second.body['data'])
  expect(keysOf(await around({ query: { type: 'gte', field: 'number', value: 3 } }))).toEqual(['D-B'])
})

it('P431: the objects that one object is linked to are listed, page by page', async () => {
  const path = (key: string) => `/api/promised/v1/objects/types/flight/objects/${key}/links/aircraft`
  const search = { type: 'linked', link: 'flights', query: { type: 'eq', field: 'number', value: 1 } }
  const expected = await post('aircraft/search', { query: search, select: ['tail'], snapshot: true })
  const listed = await answerOf(service, `${path('1')}?select=tail&snapshot=true`)
  expect((JSON.parse(listed.text) as { data: unknown }).data).toEqual(expected.body['data'])
  const stops = await answerOf(
    service,
    '/api/promised/v1/objects/types/flight/objects/1/links/stopovers?pageSize=1',
  )
  const first = JSON.parse(stops.text) as { readonly data: object[]; readonly nextPageToken: string }
  const second = await answerOf(
    service,
    `/api/promised/v1/objects/types/flight/objects/1/links/stopovers?pageSize=1&pageToken=${first.nextPageToken}`,
  )
  expect([first.data, JSON.parse(second.text)]).toMatchObject([
    [{ primaryKey: '2' }],
    { data: [{ primaryKey: '3' }] },
  ])
  for (const key of ['none', '9'])
    expect(refusalOf(await answerOf(service, path(key)))).toMatchObject({ errorName: 'ObjectNotFound' })
  expect(refusalOf(await answerOf(service, `${path('1')}?orderBy=tail`))).toMatchObject({
    errorName: 'UnknownParameter',
  })
})

describe('P328: pairs', () => {
  const pairs = async (path: string, body: object = {}) => (await post(`${path}/pairs`, body)).body

  it('come in the order of the objects that hold the keys, and of the keys, from both sides', async () => {
    expect(await pairs('flight/links/stopovers')).toEqual({
      data: [
        { source: '1', target: '2' },
        { source: '1', target: '3' },
        { source: '2', target: '3' },
      ],
      version: '1',
    })
    expect(await pairs('flight/links/stopovers', { query: undefined })).toEqual(
      await pairs('flight/links/stopovers'),
    )
    expect(
      await pairs('flight/links/stopoverOf', { query: { type: 'eq', field: 'number', value: 3 } }),
    ).toEqual({
      data: [
        { source: '3', target: '1' },
        { source: '3', target: '2' },
      ],
      version: '1',
    })
    expect(await pairs('aircraft/links/flights')).toEqual({
      data: [
        { source: 'D-A', target: '1' },
        { source: 'D-A', target: '2' },
        { source: 'D-B', target: '3' },
      ],
      version: '1',
    })
  })

  it('come in the order of their keys, not of the texts', async () => {
    const { store, ontology } = service
    const legs = await store.applyObjectType(ontology, {
      ...flight,
      apiName: 'leg',
      links: { stopovers: { objectType: 'leg', foreignKeyProperty: 'stops', reverse: 'stopoverOf' } },
    })
    const changes = [{ number: 2 }, { number: 10 }, { number: 1, stops: [10, 2] }].map((leg) =>
      putObject(legs, leg),
    )
    await store.commit({ parts: [{ type: legs, changes }] })
    expect(await pairs('leg/links/stopovers')).toEqual({
      data: [
        { source: '1', target: '2' },
        { source: '1', target: '10' },
      ],
      version: '1',
    })
  })

  it('of one object are on one page, and no page is longer for another reason', async () => {
    const first = await pairs('flight/links/stopovers', { pageSize: 1, snapshot: true })
    expect(first['data']).toEqual([
      { source: '1', target: '2' },
      { source: '1', target: '3' },
    ])
    const pageToken = first['nextPageToken']
    const last = await pairs('flight/links/stopovers', { pageSize: 1, snapshot: true, pageToken })
    const { snapshotToken, ...page } = last
    expect(page).toEqual({ data: [{ source: '2', target: '3' }], version: '1' })
    // P243: it names the state that the walk has shown.
    expect(await pairs('flight/links/stopovers', { snapshotToken })).toMatchObject({
      data: [...(first['data'] as object[]), ...(page['data'] as object[])],
      version: '1',
    })
    const two = await pairs('flight/links/stopovers', { pageSize: 2 })
    expect(two['data']).toHaveLength(2)
    expect(two).toHaveProperty('nextPageToken')
  })
})

it('P329: an object type shows its links, those of both directions, by their names', async () => {
  const typeOf = async (name: string) => (await ask(`/api/promised/v1/objects/types/${name}`)).body
  expect(await typeOf('aircraft')).toMatchObject({
    links: { flights: { objectType: 'flight', cardinality: 'MANY', reverse: 'aircraft' } },
  })
  expect((await typeOf('flight'))['links']).toEqual({
    aircraft: {
      objectType: 'aircraft',
      cardinality: 'ONE',
      foreignKeyProperty: 'aircraftTail',
      reverse: 'flights',
    },
    stopoverOf: { objectType: 'flight', cardinality: 'MANY', reverse: 'stopovers' },
    stopovers: {
      objectType: 'flight',
      cardinality: 'MANY',
      foreignKeyProperty: 'stops',
      reverse: 'stopoverOf',
    },
  })
})
