import { Value } from 'typebox/value'
import { describe, expect, it } from 'vitest'

import {
  isRid,
  listParametersSchema,
  listedObjectTypeSchema,
  listedObjectsPageSchema,
  ontologySchema,
  orderByEntryPattern,
  parsePropertyFilterName,
  receivedPageSchema,
  ridSchema,
  baseTypeName,
} from '../index.ts'

const rid = 'ri.ontology.main.ontology.5c0b8d1e-7a53-4c0f-9f0e-3f1f0f3f8f11'
const record = { rid: 'ri.octavo.main.object.0b7e.1001', properties: { employeeId: 1001, fullName: 'Ada' } }

const isPage = (page: object): boolean => Value.Check(listedObjectsPageSchema, { version: '41', ...page })
const isList = (value: unknown): boolean => Value.Check(listParametersSchema, value)
const pageOf = (properties: unknown) => ({ data: [{ ...record, properties }], totalCount: '1' })

describe('the page of revision 1.0', () => {
  it('has data and a total as a string, and a token when more exist', () => {
    expect(isPage({ data: [record], totalCount: '2500', nextPageToken: 'AQFrMTfKq0mN3hVd2x8' })).toBe(true)
    expect(isPage({ data: [], totalCount: '0' })).toBe(true)
    expect(isPage({ data: [record], totalCount: '10000', totalCountIsLowerBound: true })).toBe(true)
    expect(isPage({ data: [record] })).toBe(false)
    expect(isPage({ data: [record], totalCount: 1 })).toBe(false)
    expect(isPage({ totalCount: '0' })).toBe(false)
    expect(isPage({ data: [record], totalCount: '1', version: 41 })).toBe(false)
    expect(isPage({ data: [record], totalCount: '1', version: undefined })).toBe(false)
  })

  it('is never sent with an empty, null or unsafe token', () => {
    const tokens = ['', null, 'a b', 'a+b/c=', 'x'.repeat(8193)]
    const sent = tokens.filter((nextPageToken) => isPage({ data: [record], totalCount: '1', nextPageToken }))
    expect(sent).toEqual([])
  })

  it('may be received with a null token, never with an empty one', () => {
    const received = receivedPageSchema(listedObjectTypeSchema)
    expect(Value.Check(received, { data: [], nextPageToken: null })).toBe(true)
    expect(Value.Check(received, { data: [] })).toBe(true)
    expect(Value.Check(received, { data: [], nextPageToken: '' })).toBe(false)
  })

  it('holds records of scalars', () => {
    expect(isPage(pageOf({ a: '9223372036854775807', b: true, c: 1.5 }))).toBe(true)
    for (const value of [null, ['a'], { first: 'a' }]) expect(isPage(pageOf({ a: value }))).toBe(false)
  })
})

it('the parameters of a list have their types', () => {
  expect(isList({})).toBe(true)
  expect(
    isList({ pageSize: 5000, pageToken: 'abc', snapshot: true, properties: ['a'], orderBy: 'p.a' }),
  ).toBe(true)
  expect([0, -1, 1.5, '10'].filter((pageSize) => isList({ pageSize }))).toEqual([])
  expect(isList({ pageToken: '' })).toBe(false)
  expect(isList({ snapshot: 'true' })).toBe(false)
})

it('the operator of a filter is what follows the last dot of its name', () => {
  expect(parsePropertyFilterName('properties.age.gte')).toEqual({ property: 'age', operator: 'gte' })
  expect(parsePropertyFilterName('p.com.example.age.eq')).toEqual({
    property: 'com.example.age',
    operator: 'eq',
  })
  const others = [
    'properties.age',
    'properties.age.',
    'p.age.like',
    'age.eq',
    'properties..eq.',
    'p.a.toString',
  ]
  expect(others.filter((name) => parsePropertyFilterName(name) !== undefined)).toEqual([])
})

it('an entry of orderBy names a property and perhaps a direction', () => {
  const entry = new RegExp(orderByEntryPattern)
  expect({ ...entry.exec('properties.com.example.age:desc')?.groups }).toEqual({
    property: 'com.example.age',
    direction: 'desc',
  })
  expect({ ...entry.exec('p.age')?.groups }).toEqual({ property: 'age', direction: undefined })
  expect(
    ['age', 'age:asc', 'properties.', 'properties.a:asc:desc', ''].filter((text) => entry.test(text)),
  ).toEqual([])
})

it('resource identifiers have five parts', () => {
  const rids = [rid, 'ri.a..b.C_d-1', 'ri.octavo.main.object.0b7e.1001']
  const others = ['', 'ri.a.b.c', 'ri.A.b.c.d', 'rj.a.b.c.d', 'ri.a.b.c.d e', 'ri.a.b.c.d\n']
  const all = [...rids, ...others]
  expect(all.filter(isRid)).toEqual(rids)
  expect(all.filter((text) => Value.Check(ridSchema, text))).toEqual(rids)
})

it('ontologies and object types have their fields', () => {
  const ontology = { apiName: 'people', displayName: 'People', description: '', rid }
  expect(Value.Check(ontologySchema, ontology)).toBe(true)
  expect(Value.Check(ontologySchema, { ...ontology, rid: 'people' })).toBe(false)
  const type = {
    apiName: 'a',
    status: 'ACTIVE',
    primaryKey: ['id'],
    properties: { id: { baseType: 'Long' } },
    rid,
  }
  expect(Value.Check(listedObjectTypeSchema, type)).toBe(true)
  expect(Value.Check(listedObjectTypeSchema, { ...type, primaryKey: 'id' })).toBe(false)
  expect(Value.Check(listedObjectTypeSchema, { ...type, status: 'OLD' })).toBe(false)
})

it('base types are written as the API family writes them', () => {
  expect(baseTypeName('timestamp')).toBe('Timestamp')
  expect(baseTypeName({ array: 'long' })).toBe('Array<Long>')
  expect(baseTypeName({ array: { struct: { first: { type: 'string' }, age: { type: 'integer' } } } })).toBe(
    'Array<Struct<first:String,age:Integer>>',
  )
})
