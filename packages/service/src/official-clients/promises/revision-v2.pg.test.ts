import { forAllTests } from '@octavo/dev-database/vitest'
import { beforeAll, describe, expect, it } from 'vitest'
import { answerOf } from '../../../test/support/answer-of.ts'
import { jsonBody } from '../../../test/support/page-revisions.ts'
import { putObject } from '../../../test/support/put-object.ts'
import { sendBody } from '../../../test/support/send-raw.ts'
import { serveOnFreshDatabase } from '../../../test/support/serve-on-fresh-database.ts'
import { defineType, struct } from '../../../test/support/define-type.ts'
import { errorNamed, errorWith } from '../../../test/support/named-errors.ts'

const aircraft = defineType(
  'aircraft',
  { tail: 'string', model: 'string searchable' },
  { titleProperty: 'model' },
)

const flight = defineType(
  'flight',
  {
    number: 'integer',
    aircraftTail: 'string searchable',
    delay: 'long searchable sortable',
    stops: 'integer[] searchable',
    pilot: struct({ FIRST: 'string', LAST: 'string' }, 'searchable'),
    note: 'string searchable',
  },
  {
    titleProperty: 'note',
    links: { aircraft: { objectType: 'aircraft', foreignKeyProperty: 'aircraftTail', reverse: 'flights' } },
  },
)

const objects = Array.from({ length: 30 }, (_, i) => ({
  number: i,
  aircraftTail: ['D-A', 'D-B', 'D-Z'][i % 3],
  delay: String(i % 7),
  stops: [i, i + 1],
  pilot: { FIRST: 'Ada', LAST: `L${i % 5}` },
  ...(i % 2 === 0 && { note: `late train ${i}` }),
}))

const service = forAllTests(serveOnFreshDatabase)

beforeAll(async () => {
  const { store, ontology } = service
  const planes = await store.applyObjectType(ontology, aircraft)
  const flights = await store.applyObjectType(ontology, flight)
  const put = (type: typeof planes, some: readonly object[]) =>
    store.commit({ parts: [{ type, changes: some.map((object) => putObject(type, { ...object })) }] })
  await put(planes, [{ tail: 'D-A', model: 'A "320"' }, { tail: 'D-B', model: 'B738' }, { tail: 'D-C' }])
  await put(flights, objects)
})

type Json = Readonly<Record<string, unknown>>

const ask = async (path: string, body?: unknown) => {
  const whole = `/api/v2/ontologies/${path}`
  const { status, text } = await answerOf(service, whole, body === undefined ? undefined : jsonBody(body))
  return { status, body: JSON.parse(text) as Json }
}

const at = (path: string, body?: unknown) => ask(`${service.ontology.rid}/${path}`, body)
const base = { type: 'base', objectType: 'flight' }
const filter = (where: object, objectSet: object = base) => ({ type: 'filter', objectSet, where })
const load = (objectSet: object, more: object = {}) => at('objectSets/loadObjects', { objectSet, ...more })
const numeric = (a: unknown, b: unknown) => Number(a) - Number(b)
const dataOf = ({ body }: { readonly body: Json }) => body['data'] as readonly Json[]
const keysOf = (answer: { readonly body: Json }) => dataOf(answer).map((record) => record['__primaryKey'])
const keysWhere = (fits: (object: (typeof objects)[number]) => boolean) =>
  objects.filter(fits).map(({ number }) => number)
const errorOf = ({ status, body }: { readonly status: number; readonly body: Json }) => ({
  status,
  errorName: body['errorName'],
  parameters: body['parameters'],
})

describe('P330: an ontology is named by its rid or its name', () => {
  it('by either', async () => {
    const { rid, apiName } = service.ontology
    expect((await ask(rid)).body).toMatchObject({ rid, apiName })
    expect((await ask(apiName)).body).toMatchObject({ rid, apiName })
    expect(keysOf(await ask(`${apiName}/objects/flight?pageSize=1`))).toEqual([0])
    expect(errorOf(await ask('other'))).toMatchObject({ status: 404, errorName: 'OntologyNotFound' })
  })

  it('and what clients always send means nothing, unless it is another branch', async () => {
    const sent = 'preview=true&sdkPackageRid=a&sdkVersion=b&executeInMemoryOnly=false&branch=main'
    expect((await at(`objects/flight?${sent}`)).status).toBe(200)
    expect((await at(`objectTypes?${sent}`)).status).toBe(200)
    expect(errorOf(await at('objects/flight?branch=mine'))).toMatchObject(
      errorNamed('InvalidParameterValue', { parameterId: 'branch' }),
    )
    expect(errorOf(await at('objects/flight?transactionId=1'))).toMatchObject({
      errorName: 'UnknownParameter',
    })
  })
})

describe('P331: an object set', () => {
  const late = filter({ type: 'gte', field: 'delay', value: '5' })
  const ofA = filter({ type: 'eq', field: 'aircraftTail', value: 'D-A' })
  const isLate = ({ delay }: { readonly delay: string }) => Number(delay) >= 5
  const isOfA = ({ aircraftTail }: { readonly aircraftTail?: string | undefined }) => aircraftTail === 'D-A'

  it('is all objects, or those that match', async () => {
    expect(keysOf(await load(base))).toEqual(keysWhere(() => true))
    expect(keysOf(await load(late)).toSorted(numeric)).toEqual(keysWhere(isLate))
    const both = filter({ type: 'eq', field: 'aircraftTail', value: 'D-A' }, late)
    expect(keysOf(await load(both)).toSorted(numeric)).toEqual(
      keysWhere((each) => isLate(each) && isOfA(each)),
    )
  })

  it('is combined of sets of one type', async () => {
    const of = (type: string, ...objectSets: object[]) => load({ type, objectSets }, { orderBy: byNumber })
    const byNumber = { fields: [{ field: 'number' }] }
    expect(keysOf(await of('union', late, ofA))).toEqual(keysWhere((each) => isLate(each) || isOfA(each)))
    expect(keysOf(await of('intersect', late, ofA))).toEqual(keysWhere((each) => isLate(each) && isOfA(each)))
    expect(keysOf(await of('subtract', late, ofA))).toEqual(keysWhere((each) => isLate(each) && !isOfA(each)))
    expect(keysOf(await of('subtract', base, late, ofA))).toEqual(
      keysWhere((each) => !isLate(each) && !isOfA(each)),
    )
    expect(keysOf(await of('union', late, base))).toEqual(keysWhere(() => true))
    expect(errorOf(await of('union', base, { type: 'base', objectType: 'aircraft' }))).toMatchObject(
      errorWith(400, 'UnsupportedObjectSet', { reason: 'severalTypes', objectTypes: ['flight', 'aircraft'] }),
    )
  })

  it('is what a link leads to, each object once', async () => {
    const around = { type: 'searchAround', objectSet: late, link: 'aircraft' }
    expect(keysOf(await load(around))).toEqual(['D-A', 'D-B'])
    const back = { type: 'searchAround', objectSet: around, link: 'flights' }
    expect(keysOf(await load(back, { orderBy: { fields: [{ field: 'number' }] } }))).toEqual(
      keysWhere(({ aircraftTail }) => aircraftTail !== 'D-Z'),
    )
    expect(errorOf(await load({ ...around, link: 'aircraf' }))).toMatchObject(
      errorNamed('LinkTypeNotFound', { didYouMean: ['aircraft'] }),
    )
  })

  it('is the objects with these rids', async () => {
    const rids = dataOf(await load(base, { pageSize: 3 })).map((record) => record['__rid'])
    expect(keysOf(await load({ type: 'static', objects: [rids[2], rids[0]] }))).toEqual([0, 2])
    expect(errorOf(await load({ type: 'static', objects: ['ri.a.b.c.d'] }))).toMatchObject({
      errorName: 'ObjectNotFound',
    })
    const mixed = await at('objectSets/loadObjectsMultipleObjectTypes', {
      objectSet: { type: 'static', objects: [rids[1]] },
    })
    expect(mixed.body).toMatchObject({ data: [{ __primaryKey: 1 }], interfaceToObjectTypeMappings: {} })
  })

  it('means the same however it is written', async () => {
    const first = await load(ofA, { pageSize: 2 })
    const same = { type: 'asType', objectSet: filter({ type: 'and', value: [] }, ofA), entityType: 'flight' }
    const next = await load(same, { pageSize: 2, pageToken: first.body['nextPageToken'] })
    expect(keysOf(next)).toEqual([6, 9])
    const other = await load(late, { pageSize: 2, pageToken: first.body['nextPageToken'] })
    expect(errorOf(other)).toMatchObject(
      errorNamed('InvalidPageToken', { reason: 'requestChanged', changed: ['objectSet'] }),
    )
    const conflicting = await load({ ...same, entityType: 'aircraft' })
    expect(errorOf(conflicting)).toMatchObject({ errorName: 'UnsupportedObjectSet' })
  })
})

const conditions: readonly (readonly [Json, readonly number[]])[] = [
  [{ type: 'eq', field: 'delay', value: '3' }, keysWhere(({ delay }) => delay === '3')],
  [{ type: 'lt', field: 'delay', value: '1' }, keysWhere(({ delay }) => delay === '0')],
  [{ type: 'lte', field: 'properties.delay', value: '0' }, keysWhere(({ delay }) => delay === '0')],
  [{ type: 'gt', field: 'delay', value: '5' }, keysWhere(({ delay }) => delay === '6')],
  [{ type: 'in', field: 'number', value: [3, 99, 1] }, [1, 3]],
  [{ type: 'isNull', field: 'note', value: true }, keysWhere(({ note }) => note === undefined)],
  [{ type: 'contains', field: 'stops', value: 7 }, [6, 7]],
  [{ type: 'startsWith', field: 'note', value: 'late tra' }, keysWhere(({ note }) => note !== undefined)],
  [{ type: 'containsAllTermsInOrderPrefixLastTerm', field: 'note', value: 'train 1' }, [10, 12, 14, 16, 18]],
  [{ type: 'containsAllTerms', field: 'note', value: '4 late', fuzzy: false }, [4]],
  [{ type: 'containsAnyTerm', field: 'note', value: '4 8' }, [4, 8]],
  [{ type: 'containsAllTermsInOrder', field: 'note', value: 'train 20' }, [20]],
  [
    {
      type: 'eq',
      propertyIdentifier: { type: 'structField', propertyApiName: 'pilot', structFieldApiName: 'LAST' },
      value: 'L1',
    },
    keysWhere(({ pilot }) => pilot.LAST === 'L1'),
  ],
  [{ type: 'not', value: { type: 'gte', field: 'number', value: 2 } }, [0, 1]],
  [{ type: 'or', value: [{ type: 'eq', field: 'number', value: 5 }] }, [5]],
  [{ type: 'and', value: [] }, keysWhere(() => true)],
]

describe('P332: the conditions', () => {
  it.for(conditions)('%j', async ([where, keys]) => {
    expect(keysOf(await load(filter(where))).toSorted(numeric)).toEqual(keys)
    expect(keysOf(await at('objects/flight/search', { where })).toSorted(numeric)).toEqual(keys)
  })

  it('have the limits of a query, and name one property each', async () => {
    const deep = (depth: number): object =>
      depth === 0 ? { type: 'isNull', field: 'note', value: true } : { type: 'not', value: deep(depth - 1) }
    const nots = '{"type":"not","value":'.repeat(5_000)
    const nested = `{"where":${nots}{}${'}'.repeat(5_000)}}`
    const atText = (body: string) => at('objects/flight/search', body)
    expect(errorOf(await load(filter(deep(8))))).toMatchObject(
      errorNamed('QueryTooLarge', { limit: 'depth' }),
    )
    expect(errorOf(await atText(nested))).toMatchObject(errorNamed('QueryTooLarge', { limit: 'nodes' }))
    expect(errorOf(await load(filter({ type: 'eq', value: 1 })))).toMatchObject({
      errorName: 'Conjure:UnprocessableEntity',
    })
  })
})

it('P333: nothing selected means everything', async () => {
  const [whole] = dataOf(await load(base, { select: [], selectV2: [], pageSize: 1 }))
  expect(Object.keys(whole ?? {})).toEqual(expect.arrayContaining(['delay', 'pilot', 'stops', 'note']))
  const selected = { __primaryKey: 0, __apiName: 'flight', __title: 'late train 0', number: 0, delay: '0' }
  const select = { selectV2: [{ type: 'property', apiName: 'delay' }], excludeRid: true, pageSize: 1 }
  expect(dataOf(await load(base, select))).toEqual([selected])
  expect(dataOf(await at('objects/flight?select=delay&excludeRid=true&pageSize=1'))).toEqual([selected])
  expect((await at('objects/flight/0?select=delay&excludeRid=true')).body).toEqual(selected)
})

describe('P334: a record is flat', () => {
  const numbered = {
    __primaryKey: 1,
    __apiName: 'flight',
    number: 1,
    aircraftTail: 'D-B',
    delay: '1',
    stops: [1, 2],
    pilot: { FIRST: 'Ada', LAST: 'L1' },
  }

  it('with a key of its type, and without properties that have no value', async () => {
    const one = filter({ type: 'eq', field: 'number', value: 1 })
    expect(dataOf(await load(one, { excludeRid: true }))).toEqual([numbered])
    expect(dataOf(await load(one))).toEqual([
      { ...numbered, __rid: expect.stringMatching(/^ri\.ontology\.main\.object\.[0-9a-f-]+\.31$/) },
    ])
    expect((await at('objects/flight/1?excludeRid=true')).body).toEqual(numbered)
  })

  it('and texts that need escapes', async () => {
    expect(dataOf(await load({ type: 'base', objectType: 'aircraft' }, { excludeRid: true }))).toEqual([
      { __primaryKey: 'D-A', __apiName: 'aircraft', __title: 'A "320"', tail: 'D-A', model: 'A "320"' },
      { __primaryKey: 'D-B', __apiName: 'aircraft', __title: 'B738', tail: 'D-B', model: 'B738' },
      { __primaryKey: 'D-C', __apiName: 'aircraft', tail: 'D-C' },
    ])
  })
})

describe('P335, P336: pages', () => {
  const walk = async (next: (pageToken: unknown) => Promise<{ readonly body: Json }>) => {
    const keys: unknown[] = []
    for (let pageToken: unknown; ;) {
      const { body } = await next(pageToken)
      keys.push(...keysOf({ body }))
      expect(body['totalCount']).toBe('30')
      pageToken = body['nextPageToken']
      if (pageToken === undefined) {
        expect(Object.keys(body)).not.toContain('nextPageToken')
        return keys
      }
    }
  }
  const after = (pageToken: unknown) => (typeof pageToken === 'string' ? `&pageToken=${pageToken}` : '')

  it.for([true, false])('hold every object once, in snapshot mode: %s', async (snapshot) => {
    const all = keysWhere(() => true)
    expect(await walk((pageToken) => load(base, { pageSize: 7, pageToken, snapshot }))).toEqual(all)
    expect(
      await walk((token) => at(`objects/flight?pageSize=7&snapshot=${snapshot}${after(token)}`)),
    ).toEqual(all)
    expect(
      await walk((pageToken) => at('objects/flight/search', { pageSize: 10, pageToken, snapshot })),
    ).toEqual(all)
  })

  it('of what an object is linked to', async () => {
    const answer = await at('objects/aircraft/D-A/links/flights?pageSize=4')
    expect(keysOf(answer)).toEqual([0, 3, 6, 9])
    expect(answer.body['totalCount']).toBe('10')
    expect(errorOf(await at('objects/aircraft/none/links/flights'))).toMatchObject({
      errorName: 'ObjectNotFound',
    })
  })

  it('count what matches', async () => {
    const answer = await load(filter({ type: 'eq', field: 'delay', value: '3' }), { pageSize: 1 })
    expect(answer.body['totalCount']).toBe(String(keysWhere(({ delay }) => delay === '3').length))
  })
})

describe('P337: what there is not is refused by name', () => {
  it.for(['interfaceBase', 'withProperties', 'nearestNeighbors', 'reference', 'methodInput'])(
    'the object set %s',
    async (type) => {
      expect(errorOf(await load(filter({ type: 'and', value: [] }, { type })))).toMatchObject(
        errorWith(400, 'UnsupportedObjectSet', {
          type,
          reason: 'kind',
          supported: expect.arrayContaining(['base', 'searchAround']),
        }),
      )
    },
  )

  it.for(['regex', 'wildcard', 'interval', 'withinBoundingBox'])('the condition %s', async (type) => {
    const where = { type: 'not', value: { type, field: 'note', value: 'x' } }
    expect(errorOf(await load(filter(where)))).toMatchObject(
      errorWith(400, 'UnsupportedCondition', {
        type,
        supported: expect.arrayContaining(['eq', 'startsWith']),
      }),
    )
  })

  it.for(['primaryKeyProperty', 'titleProperty'])('the name %s of a property', async (type) => {
    const where = { type: 'eq', propertyIdentifier: { type }, value: 1 }
    expect(errorOf(await load(filter(where)))).toMatchObject(
      errorWith(400, 'UnsupportedCondition', { type, supported: ['property', 'structField'] }),
    )
  })

  it.for(['actionTypes/x', 'actions/x/apply', 'queryTypes', 'interfaceTypes/x', 'attachments/upload'])(
    'the path %s',
    async (path) => {
      const [feature] = path.split('/')
      expect(errorOf(await at(path))).toMatchObject(errorWith(404, 'UnsupportedFeature', { feature }))
    },
  )

  it('a wrong field is named in the refusal, also where there is no page token', async () => {
    for (const wrong of [
      { select: 5 },
      { excludeRid: 'x' },
      { snapshot: 1 },
      { selectV2: [{ type: 'property', apiName: 5 }] },
      { orderBy: { fields: [{}] } },
      { orderBy: { fields: [{ field: 'number', direction: 'up' }] } },
    ]) {
      const [path] = Object.keys(wrong)
      expect(errorOf(await load(base, wrong))).toMatchObject(
        errorNamed('Conjure:UnprocessableEntity', { path: expect.stringMatching(new RegExp(`^/${path}`)) }),
      )
    }
  })

  it('and values of fields', async () => {
    const refused = async (more: object, path: string) =>
      expect(errorOf(await load(base, more))).toMatchObject(
        errorNamed('Conjure:UnprocessableEntity', { path }),
      )
    await refused({ loadPropertySecurities: true }, '/loadPropertySecurities')
    await refused({ orderBy: { orderType: 'relevance', fields: [] } }, '/orderBy/orderType')
    const fuzzy = { type: 'containsAnyTerm', field: 'note', value: 'x', fuzzy: true }
    expect(errorOf(await load(filter(fuzzy)))).toMatchObject({ parameters: { path: '/where' } })
    expect(errorOf(await load(base, { nearest: 1 }))).toMatchObject({ errorName: 'UnknownParameter' })
  })
})

describe('P338: metadata', () => {
  it('describes a type with its links', async () => {
    const { body } = await at('objectTypes/flight/fullMetadata')
    expect(body).toMatchObject({
      objectType: {
        apiName: 'flight',
        primaryKey: 'number',
        titleProperty: 'note',
        properties: {
          number: { dataType: { type: 'integer' } },
          stops: { dataType: { type: 'array', subType: { type: 'integer' } } },
          pilot: {
            dataType: { type: 'struct', structFieldTypes: [{ apiName: 'FIRST' }, { apiName: 'LAST' }] },
          },
        },
      },
      linkTypes: [{ apiName: 'aircraft', objectTypeApiName: 'aircraft', cardinality: 'ONE' }],
      implementsInterfaces: [],
      implementsInterfaces2: {},
    })
    const [side] = body['linkTypes'] as readonly Json[]
    const [other] = dataOf(await at('objectTypes/aircraft/outgoingLinkTypes'))
    expect(other).toMatchObject({
      apiName: 'flights',
      cardinality: 'MANY',
      linkTypeRid: side?.['linkTypeRid'],
    })
    expect((await at('objectTypes/aircraft/outgoingLinkTypes/flights')).body).toEqual(other)
  })

  it('describes an ontology, whole or in part', async () => {
    const whole = (await at('fullMetadata')).body
    expect(Object.keys(whole['objectTypes'] as Json)).toEqual(['aircraft', 'flight'])
    expect(whole).toMatchObject({
      actionTypes: {},
      interfaceTypes: {},
      queryTypes: {},
      sharedPropertyTypes: {},
    })
    const part = (await at('metadata', { objectTypes: ['flight'], actionTypes: [] })).body
    expect(Object.keys(part['objectTypes'] as Json)).toEqual(['flight'])
    expect(errorOf(await at('metadata', { objectTypes: ['fligth'] }))).toMatchObject(
      errorNamed('ObjectTypeNotFound', { didYouMean: ['flight'] }),
    )
    expect(dataOf(await at('objectTypes?pageSize=1'))).toMatchObject([{ apiName: 'aircraft' }])
    expect((await at('objectTypes/flight')).body).toMatchObject({ apiName: 'flight' })
    expect(dataOf(await ask('../ontologies'))).toMatchObject([{ rid: service.ontology.rid }])
  })
})

it('P339: aggregates of sets, and counts', async () => {
  const aggregation = [
    { type: 'count', name: 'n' },
    { type: 'max', field: 'delay', name: 'delay.max' },
  ]
  const answer = await at('objectSets/aggregate', {
    objectSet: filter({ type: 'lt', field: 'delay', value: '2' }),
    aggregation,
    groupBy: [{ type: 'exact', field: 'delay' }],
  })
  expect(answer.body).toMatchObject({
    accuracy: 'ACCURATE',
    data: [
      {
        group: { delay: '0' },
        metrics: [
          { name: 'n', value: 5 },
          { name: 'delay.max', value: '0' },
        ],
      },
      {
        group: { delay: '1' },
        metrics: [
          { name: 'n', value: 5 },
          { name: 'delay.max', value: '1' },
        ],
      },
    ],
  })
  const where = { type: 'eq', field: 'aircraftTail', value: 'D-A' }
  const ofType = await at('objects/flight/aggregate', { where, aggregation: [{ type: 'count' }] })
  expect(ofType.body).toMatchObject({ data: [{ metrics: [{ name: 'count', value: 10 }] }] })
  expect((await at('objects/flight/count', {})).body).toEqual({ count: 30 })
})

it('P407: a GET may have a body, as the official clients send one, and it is not read', async () => {
  const path = `/api/v2/ontologies/${service.ontology.rid}/objects/aircraft`
  const plain = await sendBody(service, 'GET', path, '')
  expect(plain.status).toBe(200)
  expect(await sendBody(service, 'GET', path, '{}')).toMatchObject({ status: 200, text: plain.text })
})
