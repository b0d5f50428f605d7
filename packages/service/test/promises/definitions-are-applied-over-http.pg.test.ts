import { forAllTests } from '@octavo/dev-database/vitest'
import { expect, it } from 'vitest'
import { employeeDefinition } from '../support/employee.ts'
import { manageOverHttp, put } from '../support/manage-over-http.ts'
import { serveOnFreshDatabase } from '../support/serve-on-fresh-database.ts'
import { newTokenOf } from '../support/test-access.ts'
import { defineType, inOrder } from '../support/define-type.ts'
import { errorNamed } from '../support/named-errors.ts'

const service = forAllTests(serveOnFreshDatabase)
const manage = manageOverHttp(service)

const book = defineType(
  'book',
  { isbn: 'string', title: 'string sortable', pages: 'integer' },
  { titleProperty: 'title' },
)
const apply = (definition: object | string, query = '') =>
  manage.request('PUT', `objectTypes/book${query}`, definition)
const read = async () => (await manage.request('GET', 'objectTypes/book')).json

it('P123, P149: an ontology is made, changed and left as it is, and its maker owns it', async () => {
  const library = { apiName: 'library', displayName: 'Library', apiFamilies: ['library'] }
  const path = '/manage/v1/ontologies/library'
  const dry = await manage.request('PUT', `${path}?dryRun=true`, library)
  expect(dry.json).toEqual({ dryRun: true, outcome: 'created', changes: [] })
  const made = await manage.request('PUT', path, library)
  expect(made).toMatchObject({
    status: 201,
    json: { outcome: 'created', rid: expect.stringMatching(/^ri\./) },
  })
  const { rid } = made.json as { rid: string }
  // Visible immediately, although cached grants and ontologies may be older.
  const shown = await manage.request('GET', `/manage/v1/ontologies/${rid}`)
  expect(shown.json).toEqual({ ...library, description: '', rid, role: 'owner' })
  expect((await manage.request('PUT', path, library)).json).toEqual({
    outcome: 'unchanged',
    changes: [],
    rid,
  })
  const renamed = await manage.request('PUT', path, {
    ...library,
    displayName: 'The library',
    apiFamilies: ['books'],
  })
  expect(renamed.json).toEqual({
    outcome: 'updated',
    rid,
    changes: [
      { path: '/displayName', before: 'Library', after: 'The library' },
      { path: '/apiFamilies', before: ['library'], after: ['books'] },
    ],
  })
})

it('P411: an ontology is named by its rid or by its API name, in every place', async () => {
  const { rid } = service.ontology
  for (const start of ['/manage/v1', '/api/v1']) {
    for (const path of ['', '/objectTypes']) {
      const [byRid, byName] = [rid, 'promised'].map((name) =>
        manage.request('GET', `${start}/ontologies/${name}${path}`),
      )
      expect(await byName).toEqual(await byRid)
      expect(await byRid).toMatchObject({ status: 200 })
    }
  }
  for (const apiName of ['one', 'two'])
    await manage.request('PUT', `objectTypes/${apiName}`, { ...book, apiName })
  for (const start of ['/manage/v1', '/api/v1']) {
    const [byRid, byName] = [rid, 'promised'].map((name) => `${start}/ontologies/${name}/objectTypes`)
    const { json } = await manage.request('GET', `${byRid}?pageSize=1`)
    const { nextPageToken } = json as { readonly nextPageToken: string }
    const next = `?pageSize=1&pageToken=${nextPageToken}`
    expect((await manage.request('GET', byName + next)).json).toMatchObject({ data: [{ apiName: 'two' }] })
  }
  const objects = (name: string) => `/api/v1/ontologies/${name}/objects/one?pageSize=1`
  await manage.commit([put({ isbn: '1' }), put({ isbn: '2' })], { objectType: 'one' })
  const { nextPageToken } = (await manage.request('GET', objects(rid))).json as { nextPageToken: string }
  const rest = await manage.request('GET', `${objects('promised')}&pageToken=${nextPageToken}`)
  expect(rest.json).toMatchObject({ data: [{ properties: { isbn: '2' } }] })

  const definition = { apiName: 'twice', displayName: 'Twice' }
  const made = await manage.request('PUT', '/manage/v1/ontologies/twice', definition)
  const { rid: twice } = made.json as { rid: string }
  expect((await manage.request('PUT', `/manage/v1/ontologies/${twice}`, definition)).json).toMatchObject({
    outcome: 'unchanged',
    rid: twice,
  })
  for (const name of [twice, 'thrice']) {
    const other = await manage.request('PUT', `/manage/v1/ontologies/${name}`, {
      ...definition,
      apiName: 'x',
    })
    expect(other.json).toMatchObject(errorNamed('InvalidDefinition', { problems: [{ path: '/apiName' }] }))
  }
  const unknown = 'ri.ontology.main.ontology.5'
  expect(await manage.request('PUT', `/manage/v1/ontologies/${unknown}`, definition)).toMatchObject({
    status: 404,
  })
  const named = { ...definition, apiName: unknown }
  expect(await manage.request('PUT', `/manage/v1/ontologies/x`, named)).toMatchObject({
    status: 400,
    json: { parameters: { problems: [{ path: '/apiName' }] } },
  })
})

it('P412: an ontology without an API family has its own name as one, or is refused until it names one', async () => {
  const send = (apiName: string, query = '') =>
    manage.request('PUT', `/manage/v1/ontologies/${apiName}${query}`, { apiName, displayName: 'Named' })
  expect(await send('Shelf-7')).toMatchObject({ status: 201, json: { outcome: 'created' } })
  expect((await send('Shelf-7')).json).toMatchObject({ outcome: 'unchanged' })
  expect(await manage.request('GET', '/api/shelf-7/v1/objects/types')).toMatchObject({ status: 200 })
  for (const apiName of ['a.b', 'a_b', 'v1', 'shelf-7', `a${'b'.repeat(64)}`]) {
    for (const query of ['', '?dryRun=true']) {
      expect((await send(apiName, query)).json).toMatchObject(
        errorNamed('InvalidDefinition', {
          problems: [{ path: '/apiFamilies', problem: expect.stringMatching(/name (one|another)/) }],
        }),
      )
    }
  }
})

it.each(['', '?dryRun=true'])(
  'P75: a family of another ontology is refused, which says to name another one%s',
  async (query) => {
    const taken = { apiName: 'other', displayName: 'Other', apiFamilies: ['mine', 'promised'] }
    expect((await manage.request('PUT', `/manage/v1/ontologies/other${query}`, taken)).json).toMatchObject(
      errorNamed('InvalidDefinition', {
        problems: [
          {
            path: '/apiFamilies',
            problem: 'promised belongs to another ontology: name another one, such as ["promised-2"]',
          },
        ],
      }),
    )
  },
)

it('P120, P149: to somebody without a grant the name of an ontology is taken, and nothing else is said', async () => {
  const { token } = await newTokenOf(service.store, { subject: 'stranger' })
  const response = await service.fetch('/manage/v1/ontologies/promised', {
    method: 'PUT',
    body: JSON.stringify({ apiName: 'promised', displayName: 'Mine' }),
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
  })
  expect(await response.json()).toMatchObject(errorNamed('OntologyAlreadyExists', { apiName: 'promised' }))
})

it('P123, P149: an object type is made, tried, changed and left as it is', async () => {
  expect((await apply(book, '?dryRun=true')).json).toEqual({ dryRun: true, outcome: 'created', changes: [] })
  expect(await manage.request('GET', 'objectTypes/book')).toMatchObject({ status: 404 })
  expect((await apply(book)).json).toEqual({ outcome: 'created', changes: [], revision: 1 })
  expect((await apply(book)).json).toEqual({ outcome: 'unchanged', changes: [], revision: 1 })
  const wider = { ...book, properties: { ...book.properties, pages: { type: 'integer', searchable: true } } }
  const changes = [{ path: '/properties/pages/searchable', after: true }]
  expect((await apply(wider, '?dryRun=true')).json).toEqual({
    dryRun: true,
    outcome: 'updated',
    changes,
    revision: 1,
  })
  expect(await read()).toMatchObject({ revision: 1, definition: book })
  expect((await apply(wider)).json).toMatchObject({ outcome: 'updated', changes })
  await manage.commit([put({ isbn: '1', title: 'One' })], { objectType: 'book' })
  expect(await read()).toEqual({
    apiName: 'book',
    rid: expect.stringMatching(/^ri\.ontology\.main\.object-type\./),
    revision: expect.any(Number),
    preparing: [],
    definition: wider,
  })
})

it('P410: a definition is changed only if it is the one that was read, and created only if there is none', async () => {
  const library = { apiName: 'archive', displayName: 'Archive', apiFamilies: ['archive'] }
  const ofOntology = '/manage/v1/ontologies/archive'
  const ofType = `/manage/v1/ontologies/${service.ontology.rid}/objectTypes/scroll`
  const scroll = { ...book, apiName: 'scroll' }
  for (const [path, definition] of [
    [ofOntology, library],
    [ofType, scroll],
  ] as const) {
    const send = async (displayName: string, sent: Readonly<Record<string, string>>, query = '') => {
      const answer = await service.fetch(`${path}${query}`, {
        method: 'PUT',
        body: JSON.stringify({ ...definition, displayName }),
        headers: { 'content-type': 'application/json', ...sent },
      })
      const json = (await answer.json()) as { readonly rid?: string }
      return { status: answer.status, json }
    }
    const refused = { status: 412, json: { errorName: 'PreconditionFailed' } }
    expect(await send('None', { 'if-match': '*' })).toMatchObject({
      ...refused,
      json: { parameters: { header: 'If-Match' } },
    })
    const { json } = await send('First', { 'if-none-match': '*' })
    expect(json).toMatchObject({ outcome: 'created' })
    const address = json.rid === undefined ? path : `/manage/v1/ontologies/${json.rid}`
    const tagNow = async () => (await service.fetch(address)).headers.get('etag') ?? ''
    const first = await tagNow()
    expect(await send('First', { 'if-none-match': '*' })).toMatchObject({
      ...refused,
      json: { parameters: { header: 'If-None-Match', etag: first } },
    })
    if (path === ofType) {
      await manage.commit([put({ isbn: '1', title: 'One' })], { objectType: 'scroll' })
      expect(await tagNow()).toBe(first)
    }
    expect(await send('Other', { 'if-match': '"other"' }, '?dryRun=true')).toMatchObject(refused)
    expect(await send('Tried', { 'if-match': first }, '?dryRun=true')).toMatchObject({ status: 200 })
    const [one, two] = await Promise.all(['Second', 'Third'].map((name) => send(name, { 'if-match': first })))
    expect(new Set([one?.status, two?.status])).toEqual(new Set([200, 412]))
    expect(await send('Fourth', { 'if-match': first })).toMatchObject({
      ...refused,
      json: { parameters: { etag: await tagNow() } },
    })
    expect(await send('Fifth', { 'if-none-match': first })).toMatchObject({
      status: 400,
      json: { errorName: 'InvalidParameterValue', parameters: { parameterId: 'If-None-Match' } },
    })
  }
})

it('P124, P128: a definition of another shape is refused with the place of each problem', async () => {
  const refused = await apply({
    ...book,
    properties: {
      ...book.properties,
      pages: { type: 'number' },
      year: { kind: 'integer' },
      '1st': { type: 'date' },
    },
  })
  expect(refused).toMatchObject({ status: 400, json: { errorName: 'InvalidDefinition' } })
  const { problems } = (refused.json as { parameters: { problems: { path: string }[] } }).parameters
  expect(problems.map(({ path }) => path)).toEqual(expect.arrayContaining(['/properties']))
  const several = await apply({
    ...book,
    properties: { ...book.properties, pages: { type: 'number' }, year: { kind: 'integer' } },
  })
  expect(several.json).toHaveProperty('parameters', {
    problems: [
      {
        path: '/properties/pages/type',
        problem:
          'it must be one of string, boolean, integer, long, double, decimal, date, timestamp or an object with "struct" or an object with "array", not "number"',
      },
      { path: '/properties/year', problem: 'it lacks the field "type"' },
    ],
  })
  const other = await apply({ ...book, apiName: 'novel' })
  expect(other.json).toMatchObject({
    parameters: { problems: [{ path: '/apiName', problem: 'it must be book, as in the path' }] },
  })
  const unknown = await apply({ ...book, icon: 'book' })
  expect(unknown.json).toMatchObject({ errorName: 'InvalidDefinition' })
})

it('P126, P127, P128: a definition that contradicts itself is refused with every problem', async () => {
  const refused = await apply({
    ...book,
    primaryKey: 'pages',
    titleProperty: 'name',
    properties: {
      ...book.properties,
      pages: { type: 'double' },
      tags: { type: { array: 'string' }, sortable: true },
    },
    orders: [inOrder('title asc', 'title desc')],
  })
  expect(refused.json).toHaveProperty('parameters', {
    problems: [
      {
        path: '/primaryKey',
        problem: 'pages must have one of the types string, integer, long, date, timestamp',
      },
      { path: '/titleProperty', problem: 'name is not among the properties' },
      { path: '/properties/tags/sortable', problem: 'only a scalar can be sortable' },
      { path: '/orders/0', problem: 'title is in this order twice' },
    ],
  })
})

it('P126: the primary key is required and can be ordered by, without saying so', async () => {
  const { rid } = service.ontology
  await service.store.applyObjectType(service.ontology, book)
  expect(await manage.refused([put({ title: 'None' })], { objectType: 'book' })).toMatchObject({
    parameters: { problems: [{ property: 'isbn', problem: 'must have a value' }] },
  })
  const ordered = await service.fetch(
    `/api/v1/ontologies/${rid}/objects/book?orderBy=p.isbn:desc&p.isbn.eq=1`,
  )
  expect(ordered.status).toBe(200)
})

it('P127: more than 16 orders, and orders of one or five keys, are refused', async () => {
  const key = (field: string) => ({ field, direction: 'asc' })
  const order = { fields: [key('title'), key('pages')] }
  const orders = [
    Array.from({ length: 17 }, () => order),
    [{ fields: [key('title')] }],
    [{ fields: [key('title'), key('pages'), key('isbn'), key('title'), key('pages')] }],
  ]
  for (const each of orders) expect(await apply({ ...book, orders: each })).toMatchObject({ status: 400 })
})

it('P128, P148: a policy that is too large or cannot be used as a condition is refused with its place', async () => {
  const deep = (levels: number) =>
    `${'{"type":"not","value":'.repeat(levels)}{"type":"empty"}${'}'.repeat(levels)}`
  for (const policy of [deep(10), deep(20_000), '{"type":"eq","field":"pages","value":{"claim":"pages"}}']) {
    const refused = await apply(
      JSON.stringify({ ...book, policy: 0 }).replace('"policy":0', `"policy":${policy}`),
    )
    expect(refused.json).toMatchObject(errorNamed('InvalidDefinition', { problems: [{ path: '/policy' }] }))
  }
})

it('P129: what would lose or reinterpret stored values is refused, even in a dry run', async () => {
  await service.store.applyObjectType(service.ontology, employeeDefinition)
  const { age: _gone, ...others } = employeeDefinition.properties
  const changed = {
    ...employeeDefinition,
    primaryKey: 'badge',
    properties: { ...others, salary: { type: 'double' } },
    orders: [],
  }
  for (const query of ['?dryRun=true', '']) {
    const refused = await manage.request('PUT', `objectTypes/employee${query}`, changed)
    expect(refused).toMatchObject({ status: 409, json: { errorName: 'IncompatibleDefinition' } })
    const { problems } = (refused.json as { parameters: { problems: { path: string }[] } }).parameters
    expect(problems.map(({ path }) => path)).toEqual([
      '/primaryKey',
      '/properties/age',
      '/properties/salary/type',
    ])
  }
  expect((await manage.request('GET', 'objectTypes/employee')).json).toMatchObject({
    definition: employeeDefinition,
  })
})

it('P129, P149, P195: one value that is too long for a policy leaves everything readable', async () => {
  const doc = defineType('doc', { id: 'string', readers: 'string[]' })
  await manage.request('PUT', 'objectTypes/doc', doc)
  await manage.commit([put({ id: '1', readers: ['ada'] }), put({ id: '2', readers: ['x'.repeat(1_001)] })], {
    objectType: 'doc',
  })
  const guarded = {
    ...doc,
    properties: { ...doc.properties, readers: { type: { array: 'string' }, searchable: true } },
    policy: { type: 'contains', field: 'readers', value: { claim: 'sub' } },
  }
  for (const query of ['?dryRun=true', '']) {
    const refused = await manage.request('PUT', `objectTypes/doc${query}`, guarded)
    expect(refused).toMatchObject({
      status: 409,
      json: errorNamed('IncompatibleDefinition', {
        problems: [
          {
            path: '/properties/readers',
            primaryKey: '2',
            problem:
              'Property readers of the stored object "2" must be at most 1000 bytes of UTF-8, because the values of a searchable array are looked up whole; this has 1001. Change that object first.',
          },
        ],
      }),
    })
    const listed = await service.fetch(`/api/v1/ontologies/${service.ontology.rid}/objects/doc`)
    expect([listed.status, await listed.json()]).toMatchObject([200, { totalCount: '2' }])
  }
  expect((await manage.request('GET', 'objectTypes/doc')).json).toMatchObject({ revision: 1, preparing: [] })
})

it('P108: without a body, every route says which kind of body it wants', async () => {
  for (const [method, path, expectedMediaType] of [
    ['PUT', 'objectTypes/doc', 'application/json'],
    ['POST', 'batches', 'application/x-ndjson'],
  ] as const) {
    expect((await manage.request(method, path)).json).toMatchObject(
      errorNamed('MissingPostBody', { expectedMediaType }),
    )
  }
})

it('P149: a parameter that is not known, or not true or false, is refused', async () => {
  expect((await apply(book, '?dryrun=true')).json).toMatchObject({ errorName: 'UnknownParameter' })
  expect((await apply(book, '?dryRun=yes')).json).toMatchObject({ errorName: 'InvalidParameterValue' })
})
