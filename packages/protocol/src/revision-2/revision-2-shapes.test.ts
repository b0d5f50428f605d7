import { Value } from 'typebox/value'
import { expect, it } from 'vitest'

import { foundObjectsPageSchema, searchRequestSchema, searchableObjectTypeSchema } from '../index.ts'

const query = { type: 'empty' }
const isSearch = (value: unknown): boolean => Value.Check(searchRequestSchema, value)
const isPage = (page: object): boolean => Value.Check(foundObjectsPageSchema, { version: '41', ...page })

it('a search has a query and only the fields that it defines', () => {
  expect(isSearch({ query })).toBe(true)
  expect(
    isSearch({
      query,
      pageToken: 'abc',
      pageSize: 5000,
      orderBy: { fields: [{ field: 'age' }, { field: 'name', direction: 'desc' }] },
      select: ['age'],
      snapshot: true,
    }),
  ).toBe(true)
  const refused = [
    {},
    [],
    { query: {} },
    { query, pageToken: '' },
    { query: null },
    { query, pageSize: 0 },
    { query, pageSize: '10' },
    { query, orderBy: [{ field: 'age' }] },
    { query, orderBy: { fields: [{ field: 'age', direction: 'up' }] } },
    { query, select: 'age' },
    { query, snapshot: 'true' },
    { query, limit: 10 },
  ]
  expect(refused.filter(isSearch)).toEqual([])
})

it('P180: every optional field of a search may be null', () => {
  const after = ['afterSource', 'afterPosition', 'afterGeneration', 'waitSeconds']
  const optional = ['pageToken', 'pageSize', 'orderBy', 'select', 'snapshot', 'snapshotToken', ...after]
  expect(optional.filter((field) => !isSearch({ query, [field]: null }))).toEqual([])
  expect(Object.keys(searchRequestSchema.properties).toSorted()).toEqual(['query', ...optional].toSorted())
  expect(isSearch({ query, orderBy: { fields: [{ field: 'age', direction: null }] } })).toBe(true)
  expect(isSearch({ query, orderBy: { fields: [{ field: null }] } })).toBe(false)
})

it('a found object has a string key, its type, perhaps a title, and values of every type', () => {
  const person = {
    primaryKey: '1001',
    objectType: 'com.example.object.person',
    title: 'Ada Byron',
    properties: {
      age: 36,
      name: [{ firstName: 'Ada', lastName: 'Byron' }],
      address: { city: 'London' },
      tags: ['x'],
    },
  }
  expect(isPage({ data: [person], nextPageToken: 'AQFrMTe1kZC0WQm9fYw' })).toBe(true)
  expect(isPage({ data: [person] })).toBe(true)
  expect(isPage({ data: [person], nextPageToken: null })).toBe(false)
  expect(isPage({ data: [{ ...person, primaryKey: 1001 }] })).toBe(false)
  expect(isPage({ data: [{ ...person, properties: { age: null } }] })).toBe(false)
  expect(isPage({ data: [{ ...person, properties: { a: { b: { c: 1 } } } }] })).toBe(false)
})

it('an object type of revision 2.0 says what may be searched and sorted', () => {
  const type = {
    apiName: 'person',
    displayName: 'Person',
    status: 'ACTIVE',
    visibility: 'NORMAL',
    primaryKey: 'personId',
    titleProperty: 'personId',
    properties: { personId: { type: 'long', searchable: true, sortable: true } },
    links: {},
    orders: [],
  }
  expect(Value.Check(searchableObjectTypeSchema, type)).toBe(true)
  expect(
    Value.Check(searchableObjectTypeSchema, { ...type, properties: { personId: { type: 'long' } } }),
  ).toBe(false)
})
