// What the two revisions do not share: where parameters are, the shape of a record, what else can be read.
import { checksumOf } from '@octavo/model'
import {
  foundObjectsPageSchema,
  listedObjectsPageSchema,
  listedObjectTypesPageSchema,
  ontologiesPageSchema,
  searchableObjectTypesPageSchema,
} from '@octavo/protocol'
import type { TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import { forAllTests } from '@octavo/dev-database/vitest'
import { beforeAll, describe, expect, it } from 'vitest'
import { answerOf } from '../support/answer-of.ts'
import { employeeDefinition } from '../support/employee.ts'
import { refusalOf } from '../support/error-answer.ts'
import { collectionIn, collectionOf, itemDefinition, loadItems, putItems } from '../support/load-items.ts'
import { jsonBody, searching } from '../support/page-revisions.ts'
import { newTokenOf } from '../support/test-access.ts'
import type { TestRequest } from '../support/start-test-service.ts'
import { serveOnFreshDatabase } from '../support/serve-on-fresh-database.ts'
import { readPage, type WirePage } from '../support/walk-over-http.ts'
import { defineType } from '../support/define-type.ts'
import { errorNamed, errorWith } from '../support/named-errors.ts'

const service = forAllTests(serveOnFreshDatabase)
const collection = collectionIn(service, 'employee')
let root = ''
let list = ''
const search = '/api/promised/v1/objects/types/employee/search'
const query = { type: 'empty' } as const

const ada = {
  employeeId: 'e/1 ä',
  fullName: 'Ada Byron',
  department: 'Engines',
  age: 36,
  salary: '12.50',
  badge: '9007199254740993',
  hiredAt: '2021-05-01T09:30:00.25Z',
  active: true,
  names: [{ firstName: 'Ada', lastName: 'Byron' }],
  tags: ['a', 'b'],
  address: { city: 'London' },
}
const bob = { employeeId: 'e2', badge: '2' }

beforeAll(async () => {
  const type = await service.store.applyObjectType(service.ontology, employeeDefinition)
  await putItems(service.store, type, [ada, bob])
  root = `/api/v1/ontologies/${service.ontology.rid}`
  list = `${root}/objects/employee`
})

const json = async (path: string, init?: TestRequest): Promise<WirePage> => {
  const { status, text } = await answerOf(service, path, init)
  expect(status, text).toBe(200)
  return JSON.parse(text) as WirePage
}
const found = (body: object) => json(search, jsonBody({ query, ...body }))
const refused = async (path: string, init?: TestRequest) => refusalOf(await answerOf(service, path, init))
const scalarsOf = ({ names: _names, tags: _tags, address: _address, ...scalars }: typeof ada) => scalars

describe('revision 1.0', () => {
  it('P58, P59: a record has a rid and its scalars, and no arrays and structs', async () => {
    const page = await json(list)
    expect(page).toEqual({
      data: [
        { rid: expect.stringMatching(/^ri\./) as string, properties: scalarsOf(ada) },
        { rid: expect.stringMatching(/^ri\./) as string, properties: bob },
      ],
      totalCount: '2',
      version: expect.stringMatching(/^\d+$/) as string,
    })
  })

  it.for(['properties=age,fullName', 'properties=age&properties=fullName', 'properties=FULLNAME,,Age,age'])(
    'P60, P67: %s selects properties, beside which the primary key always comes',
    async (selection) => {
      const { data } = await json(`${list}?${selection}`)
      expect(data.map(({ properties }) => properties)).toEqual([
        { employeeId: ada.employeeId, fullName: ada.fullName, age: 36 },
        { employeeId: 'e2' },
      ])
    },
  )

  it('P60: arrays and structs may be named, and still do not come', async () => {
    const { data } = await json(`${list}?properties=names,tags,age`)
    expect(data[0]?.properties).toEqual({ employeeId: ada.employeeId, age: 36 })
  })

  it.for([
    ['properties.age:desc', ['e/1 ä', 'e2']],
    ['p.age', ['e/1 ä', 'e2']],
    ['properties.BADGE', ['e2', 'e/1 ä']],
    ['p.badge:desc', ['e/1 ä', 'e2']],
    ['p.Department:asc,properties.age:desc', ['e/1 ä', 'e2']],
    ['p.employeeId:desc', ['e2', 'e/1 ä']],
  ] as const)('P61, P67: orderBy=%s', async ([orderBy, ids]) => {
    const { data } = await json(`${list}?orderBy=${orderBy}`)
    expect(data.map(({ properties }) => properties['employeeId'])).toEqual(ids)
  })

  it.for([
    ['age', 'InvalidSortType', { invalidSortType: 'age' }],
    ['q.age:asc', 'InvalidSortType', { invalidSortType: 'q.age:asc' }],
    ['p.age:asc:desc', 'InvalidSortType', { invalidSortType: 'p.age:asc:desc' }],
    ['p.age,', 'InvalidSortType', { invalidSortType: '' }],
    ['p.:asc', 'InvalidSortType', { invalidSortType: 'p.:asc' }],
    ['p.age:up', 'InvalidSortOrder', { invalidSortOrder: 'up' }],
    ['p.age:DESC', 'InvalidSortOrder', { invalidSortOrder: 'DESC' }],
    ['p.age:', 'InvalidSortOrder', { invalidSortOrder: '' }],
  ] as const)('P61: orderBy=%s is refused with %s', async ([orderBy, errorName, parameters]) => {
    expect(await refused(`${list}?orderBy=${orderBy}`)).toEqual({ status: 400, errorName, parameters })
  })

  it('P72: lists ontologies and returns one', async () => {
    const shown = {
      apiName: 'promised',
      displayName: 'Promised',
      description: expect.any(String) as string,
      rid: service.ontology.rid,
    }
    expect(await json('/api/v1/ontologies')).toEqual({ data: [shown] })
    expect(await json(root)).toEqual(shown)
    expect(await refused('/api/v1/ontologies/ri.ontology.main.ontology.none')).toMatchObject({
      status: 404,
      errorName: 'OntologyNotFound',
    })
  })

  it('P73: lists object types and returns one, with the base type of each property', async () => {
    const one = (await json(`${root}/objectTypes/employee`)) as unknown as Record<string, unknown>
    expect(one).toMatchObject({
      apiName: 'employee',
      displayName: 'Employee',
      status: 'ACTIVE',
      primaryKey: ['employeeId'],
      properties: {
        employeeId: { baseType: 'String' },
        age: { baseType: 'Integer' },
        salary: { baseType: 'Decimal' },
        badge: { baseType: 'Long' },
        rating: { baseType: 'Double' },
        hiredAt: { baseType: 'Timestamp' },
        birthday: { baseType: 'Date' },
        active: { baseType: 'Boolean' },
        tags: { baseType: 'Array<String>' },
      },
    })
    expect((await json(`${root}/objectTypes`)).data).toContainEqual(one)
    expect(await refused(`${root}/objectTypes/nothing`)).toMatchObject({
      status: 404,
      errorName: 'ObjectTypeNotFound',
    })
  })

  it('P74: returns one object by its key, with the properties that are asked for', async () => {
    const { data } = await json(list)
    const path = `${list}/${encodeURIComponent(ada.employeeId)}`
    expect(await json(path)).toEqual(data[0])
    expect(await json(`${path}?properties=AGE`)).toEqual({
      ...data[0],
      properties: { employeeId: ada.employeeId, age: 36 },
    })
    for (const key of [
      'nobody',
      'E2',
      'e2%20',
      '%F0%9F%98%80',
      'k'.repeat(3_000),
      '%00',
      '%ED%A0%80'.slice(0, 3),
    ]) {
      const refusal = await refused(`${list}/${key}`)
      expect([key, refusal.status]).toEqual([key, 404])
    }
    expect(await refused(`${list}/nobody`)).toEqual(
      errorWith(404, 'ObjectNotFound', { objectType: 'employee', primaryKey: 'nobody' }),
    )
  })
})

describe('revision 2.0', () => {
  it('P180: a field that is null counts as absent, on the first page and on the next', async () => {
    const nulls = { pageToken: null, pageSize: null, orderBy: null, select: null, snapshot: null }
    expect(await found(nulls)).toEqual(await found({}))
    const orderBy = (direction: unknown) => ({ fields: [{ field: 'employeeId', direction }] })
    const first = await found({ ...nulls, pageSize: 1, orderBy: orderBy(null) })
    expect(first.data.map(({ properties }) => properties['employeeId'])).toEqual([ada.employeeId])
    const { nextPageToken: pageToken } = first
    // It is the same request, whether its fields are null or absent (P26).
    const { data } = await found({ pageToken, orderBy: orderBy('asc') })
    expect(data.map(({ properties }) => properties['employeeId'])).toEqual(['e2'])
    expect((await found({ ...nulls, pageToken, orderBy: orderBy('asc') })).data).toEqual(data)
  })

  it('P76, P78, P79, P85: a record has its key and title as strings, and every property in its own shape', async () => {
    expect(await found({})).toEqual({
      data: [
        { primaryKey: ada.employeeId, objectType: 'employee', title: 'Ada Byron', properties: ada },
        { primaryKey: 'e2', objectType: 'employee', properties: bob },
      ],
      version: expect.stringMatching(/^\d+$/) as string,
    })
  })

  it('P430: returns one object by its key, with its hash or with the properties that are asked for', async () => {
    const path = `/api/promised/v1/objects/types/employee/objects/${encodeURIComponent(ada.employeeId)}`
    const object = { primaryKey: ada.employeeId, objectType: 'employee', title: 'Ada Byron', properties: ada }
    const { data } = await found({})
    expect(data[0]).toEqual(object)
    const checksum = checksumOf([object])
    expect(await json(path)).toEqual({ ...object, checksum })
    const { snapshotToken = '' } = await found({ snapshot: true })
    expect(await json(`${path}?snapshotToken=${snapshotToken}`)).toEqual({ ...object, checksum })
    const selected = { ...object, properties: { employeeId: ada.employeeId, age: 36 } }
    expect(await json(`${path}?select=age`)).toEqual(selected)
    const tagged = await answerOf(service, path)
    expect(Object.fromEntries(tagged.headers)).toMatchObject({
      'cache-control': 'private, no-cache',
      vary: expect.stringContaining('authorization') as string,
    })
    const again = await service.fetch(path, {
      headers: { 'if-none-match': tagged.headers.get('etag') ?? '' },
    })
    expect([again.status, await again.text()]).toEqual([304, ''])
    for (const key of ['nobody', 'e2%20', 'k'.repeat(3_000), '%00'])
      expect(await refused(`/api/promised/v1/objects/types/employee/objects/${key}`)).toMatchObject({
        status: 404,
        errorName: 'ObjectNotFound',
      })
    expect(await refused(`${path}?properties=age`)).toMatchObject({ errorName: 'UnknownParameter' })
  })

  it('P430: an object is read in the state that a snapshot token names', async () => {
    const type = await service.store.applyObjectType(service.ontology, itemDefinition('stated'))
    await putItems(service.store, type, [{ id: 'a', rank: 1 }])
    const before = await readPage(service, searching, collectionOf(service.ontology, type), {
      snapshot: true,
    })
    await putItems(service.store, type, [{ id: 'a', rank: 2 }])
    const path = '/api/promised/v1/objects/types/stated/objects/a'
    expect(await json(`${path}?snapshotToken=${before.snapshotToken}`)).toMatchObject({
      properties: { rank: 1 },
    })
    expect(await json(path)).toMatchObject({ properties: { rank: 2 } })
  })

  it.for([
    ['integer', 7, '7'],
    ['long', '-9223372036854775808', '-9223372036854775808'],
    ['date', '2021-05-01', '2021-05-01'],
    ['timestamp', '2021-05-01T09:30:00.25Z', '2021-05-01T09:30:00.25Z'],
    ['string', 'Ä"\\', 'Ä"\\'],
  ] as const)(
    'P78: a key and title of the type %s are strings, written as the property',
    async ([keyType, id, text]) => {
      const type = await service.store.applyObjectType(
        service.ontology,
        defineType(`keyed-by-${keyType}`, { id: { type: keyType } }),
      )
      await putItems(service.store, type, [{ id }])
      const { data } = await readPage(service, searching, collectionOf(service.ontology, type))
      expect(data).toEqual([{ primaryKey: text, objectType: type.apiName, title: text, properties: { id } }])
    },
  )

  it('P77: the page token of a POST is in the body, that of a GET in the query string', async () => {
    const first = await found({ pageSize: 1 })
    const token = first.nextPageToken ?? ''
    expect((await found({ pageSize: 1, pageToken: token })).data[0]?.['primaryKey']).toBe('e2')
    expect(await refused(`${search}?pageToken=${token}`, jsonBody({ query }))).toMatchObject(
      errorNamed('UnknownParameter', { unknownParameters: ['pageToken'] }),
    )
    await service.store.applyObjectType(service.ontology, itemDefinition('another'))
    const types = '/api/promised/v1/objects/types'
    const page = await json(`${types}?pageSize=1`)
    const rest = await json(`${types}?pageToken=${page.nextPageToken}`)
    const all = await json(types)
    expect([...page.data, ...rest.data]).toEqual(all.data)
  })

  it.for([
    [[{ field: 'age', direction: 'desc' }], ['e/1 ä', 'e2']],
    [[{ field: 'badge' }], ['e2', 'e/1 ä']],
    [[{ field: 'properties.badge' }], ['e2', 'e/1 ä']],
    [[{ field: 'employeeId', direction: 'desc' }], ['e2', 'e/1 ä']],
    [[], ['e/1 ä', 'e2']],
  ] as const)('P80: orderBy %j', async ([fields, ids]) => {
    const { data } = await found({ orderBy: { fields } })
    expect(data.map((record) => record['primaryKey'])).toEqual(ids)
  })

  it.for([
    [[], { employeeId: ada.employeeId }],
    [['names'], { employeeId: ada.employeeId, names: ada.names }],
    [['address', 'age', 'age'], { employeeId: ada.employeeId, age: 36, address: ada.address }],
    [['properties.tags'], { employeeId: ada.employeeId, tags: ada.tags }],
  ] as const)('P81: select %j', async ([select, properties]) => {
    const { data } = await found({ select })
    expect(data[0]?.properties).toEqual(properties)
    expect(data[0]?.['title']).toBe('Ada Byron')
  })

  it('P81: names are compared exactly', async () => {
    expect(await refused(search, jsonBody({ query, select: ['AGE'] }))).toMatchObject({
      errorName: 'PropertiesNotFound',
    })
  })

  it('P83: lists the object types of the family, and returns one with what each property can do', async () => {
    const types = '/api/promised/v1/objects/types'
    const one = (await json(`${types}/employee`)) as unknown as Record<string, unknown>
    expect(one).toMatchObject({
      apiName: 'employee',
      primaryKey: 'employeeId',
      properties: {
        employeeId: { type: 'string', searchable: true, sortable: true },
        salary: { type: 'decimal', searchable: false, sortable: true },
        notes: { type: 'string', searchable: true, sortable: false },
        names: {
          type: { array: { struct: { firstName: { type: 'string' }, lastName: { type: 'string' } } } },
        },
      },
    })
    expect((await json(types)).data).toContainEqual(one)
    expect(await refused(`${types}/nothing`)).toMatchObject({ errorName: 'ObjectTypeNotFound' })
    expect(await refused('/api/nobody/v1/objects/types')).toMatchObject({ errorName: 'ApiFamilyNotFound' })
  })
})

describe('P184: a name that does not exist', () => {
  const described = async (path: string, init?: TestRequest) => {
    const answer = await answerOf(service, path, init)
    refusalOf(answer)
    return (JSON.parse(answer.text) as { errorDescription: string }).errorDescription
  }
  const asked = (body: object) => described(search, jsonBody({ query, ...body }))
  const properties = Object.keys(employeeDefinition.properties).join(', ')

  it('of an object type is answered with those that there are', async () => {
    const sentence =
      /^There is no object type employe; did you mean employee\? There are: .*\bemployee\b.*\.$/
    expect(await described(`${root}/objects/employe`)).toMatch(sentence)
    expect(await described(`${root}/objectTypes/employe`)).toMatch(sentence)
    expect(await described(`/manage/v1/ontologies/${service.ontology.rid}/objectTypes/employe`)).toMatch(
      sentence,
    )
    expect(await described('/api/promised/v1/objects/types/none/search', jsonBody({ query }))).toMatch(
      /^There is no object type none\. There are: /,
    )
  })

  it('of a property is answered with those of the type', async () => {
    const one = `The type employee has no property fulName; did you mean fullName? There are: ${properties}.`
    expect(await described(`${list}?properties=fulName`)).toBe(one)
    expect(await described(`${list}?p.fulName.eq=1`)).toBe(one)
    expect(await asked({ query: { type: 'eq', field: 'fulName', value: 'x' } })).toBe(one)
    expect(await asked({ select: ['colour', 'Age'] })).toBe(
      `The type employee has no properties colour, Age; did you mean age? There are: ${properties}.`,
    )
  })

  it('of a parameter, a field, an operator or a query type is answered with what is like it', async () => {
    expect(await described(`${list}?page_size=1`)).toMatch(
      /^There is no parameter page_size; did you mean pageSize\? This endpoint accepts pageSize, pageToken, /,
    )
    expect(await asked({ orderby: null })).toContain('no parameter orderby; did you mean orderBy?')
    expect(await described(`${list}?p.age.gtee=1`)).toMatch(
      /^There is no filter p\.age\.gtee; did you mean p\.age\.gte\? The operators are eq, neq, /,
    )
    expect(await asked({ query: { type: 'prefx', field: 'fullName', value: 'x' } })).toMatch(
      /"prefx" is not one of the types \(did you mean "prefix"\?\), which are empty, eq, /,
    )
    expect(await asked({ query: { type: 'eq', field: 'age', value: 1, vlaue: 1 } })).toContain(
      '"vlaue" is not one of its fields (did you mean "value"?), which are type, field, value',
    )
  })

  it('of an order that there is not is answered with those that there are', async () => {
    expect(await described(`${list}?orderBy=p.notes`)).toMatch(
      /^Order by one of properties\.employeeId, .*properties\.department:asc,properties\.age:desc.*, or add "sortable": true/,
    )
  })

  it('shows nothing of an ontology that is not granted', async () => {
    const { token } = await newTokenOf(service.store, {
      subject: 'stranger',
      scopes: ['api:ontologies-read'],
    })
    const headers = { authorization: `Bearer ${token}` }
    const answer = await answerOf(service, `${root}/objects/employe`, { headers })
    expect(refusalOf(answer)).toMatchObject({ errorName: 'OntologyNotFound' })
    expect(answer.text).not.toContain('employee')
  })
})

describe('every list', () => {
  it('P181: HEAD is answered like GET, without a body', async () => {
    for (const path of [
      list,
      root,
      `${list}?pageSize=0`,
      `${list}/nobody`,
      '/api/promised/v1/objects/types',
    ]) {
      const asGet = await answerOf(service, path)
      const { status, text, headers } = await answerOf(service, path, { method: 'HEAD' })
      expect({ status, text }, path).toEqual({ status: asGet.status, text: '' })
      for (const name of ['content-type', 'content-length', 'cache-control']) {
        expect(headers.get(name), path).toBe(asGet.headers.get(name))
      }
    }
    expect((await answerOf(service, search, { method: 'HEAD' })).status).toBe(405)
  })

  it('P182: a trailing slash is not an empty name or key', async () => {
    for (const path of [root, `${root}/objects`, list, '/api/promised/v1/objects/types', `${list}/e2`]) {
      const { errorName, parameters } = await refused(`${path}/`)
      expect(errorName, path).toBe('PathNotFound')
      expect(parameters, path).toEqual(path.endsWith('/objects') ? {} : { didYouMean: [path] })
    }
  })

  const paths = () => ['/api/v1/ontologies', `${root}/objectTypes`, '/api/promised/v1/objects/types']

  it('P1, P2, P3, P5, P22: of ontologies and object types is paginated by the same rules', async () => {
    for (let i = 0; i < 5; i += 1) {
      await service.store.applyOntology({ apiName: `more${i}`, displayName: 'More' })
      await service.store.applyObjectType(service.ontology, itemDefinition(`more${i}`))
    }
    // Another process created the ontologies: the registry is reloaded within a second.
    await expect.poll(async () => (await json('/api/v1/ontologies')).data.length, { timeout: 5_000 }).toBe(6)
    for (const path of paths()) {
      const all = await json(path)
      for (const sizes of [[1], [2], [3, 1], [all.data.length], [all.data.length - 1, 1], [1_000_000]]) {
        const walked: unknown[] = []
        let token: string | undefined
        let pages = 0
        do {
          const size = sizes[pages % sizes.length]
          const page = await json(
            `${path}?pageSize=${size}${token === undefined ? '' : `&pageToken=${token}`}`,
          )
          expect(page.data.length).toBeGreaterThan(0)
          walked.push(...page.data)
          token = page.nextPageToken
          pages += 1
        } while (token !== undefined)
        expect(walked).toEqual(all.data)
      }
      expect(await refused(`${path}?pageSize=0`)).toMatchObject({ errorName: 'InvalidPageSize' })
      expect(await refused(`${path}?pageToken=abc`)).toMatchObject({ parameters: { reason: 'malformed' } })
    }
  })

  it('P23: object types come 500 to a page, and no more are given', async () => {
    const { store } = service
    const many = await store.applyOntology({ apiName: 'many', displayName: 'Many', apiFamilies: ['many'] })
    await store.applyObjectType(many, defineType('type0', { id: 'string' }))
    // Lists read no more of a type than its row: 500 types with tables and indexes take ten times as long as all the rest here.
    const rows = `${many.schema}.object_types`
    await store.database.run(`insert into ${rows} (id, api_name, revision, revision_tag, stored)
select id + i, 'type' || i, revision, revision_tag, replace(stored, '"type0"', format('"type%s"', i)) from ${rows}, generate_series(1, 500) i`)
    for (const path of [`/api/v1/ontologies/${many.rid}/objectTypes`, '/api/many/v1/objects/types']) {
      await expect.poll(async () => (await answerOf(service, path)).status, { timeout: 5_000 }).toBe(200)
      for (const size of ['', '?pageSize=501', '?pageSize=100000']) {
        const page = await json(path + size)
        expect(page.data).toHaveLength(500)
        expect((await json(`${path}?pageToken=${page.nextPageToken}`)).data).toHaveLength(1)
      }
    }
  })

  it('P142: has at least the fields that its revision has always had', async () => {
    const { data } = await found({})
    const listed = await json(list)
    expect(Object.keys(data[0] ?? {})).toEqual(['primaryKey', 'objectType', 'title', 'properties'])
    expect(Object.keys(listed.data[0] ?? {})).toEqual(['rid', 'properties'])
    const first = async (path: string) => Object.keys((await json(path)).data[0] ?? {})
    const [ontologies = '', types = '', familyTypes = ''] = paths()
    expect(await first(ontologies)).toEqual(['apiName', 'displayName', 'description', 'rid'])
    expect(await first(types)).toEqual(
      expect.arrayContaining(['apiName', 'displayName', 'status', 'primaryKey', 'properties', 'rid']),
    )
    expect(await first(familyTypes)).toEqual(expect.arrayContaining(['apiName', 'primaryKey', 'properties']))
  })

  it('P9, P142: fits the published schema of its page, which allows fields to be added', async () => {
    const { collection: items } = await loadItems(service.store, service.ontology, 30)
    const [ontologies = '', types = '', familyTypes = ''] = paths()
    const pages: readonly (readonly [TSchema, WirePage])[] = [
      [listedObjectsPageSchema, await json(`${root}/objects/items30?pageSize=7`)],
      [foundObjectsPageSchema, await readPage(service, searching, items, { pageSize: 7 })],
      [foundObjectsPageSchema, await readPage(service, searching, collection)],
      [ontologiesPageSchema, await json(ontologies)],
      [listedObjectTypesPageSchema, await json(types)],
      [searchableObjectTypesPageSchema, await json(familyTypes)],
    ]
    for (const [schema, page] of pages) {
      const fits = Compile(schema)
      expect([...fits.Errors(page)]).toEqual([])
      expect(
        fits.Check({
          ...page,
          addedLater: 1,
          data: page.data.map((record) => ({ ...record, addedLater: 1 })),
        }),
      ).toBe(true)
    }
  })
})
