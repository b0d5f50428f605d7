import type { Query } from '@octavo/client'
import { expect, it } from 'vitest'
import type { ObjectType } from '../types/object-type.ts'
import { conditionsOf, fieldsOf, operatorsOf, queryOf, queryOfAll, type Field } from './conditions.ts'

const plain = { searchable: true, sortable: false }
const type: ObjectType = {
  apiName: 'book',
  displayName: 'Book',
  primaryKey: 'id',
  links: {},
  orders: [],
  properties: {
    id: { type: 'string', ...plain },
    pages: { type: 'integer', ...plain },
    boughtAt: { type: 'timestamp', ...plain },
    isLent: { type: 'boolean', ...plain },
    genres: { type: { array: 'string' }, ...plain },
    authors: { type: { array: { struct: { first: { type: 'string' }, born: { type: 'date' } } } }, ...plain },
    notes: { type: 'string', searchable: false, sortable: false },
  },
}

const fieldOf = (name: string): Field => {
  const field = fieldsOf(type).find((each) => each.name === name)
  if (field === undefined) throw new Error(name)
  return field
}

it('fields are properties and components of structs', () => {
  expect(fieldsOf(type).map(({ name }) => name)).toEqual([
    'id',
    'pages',
    'boughtAt',
    'isLent',
    'genres',
    'authors:first',
    'authors:born',
    'notes',
  ])
  expect(fieldOf('notes').isSearchable).toBe(false)
})

/** An object without a value does not count as one with another value. */
const isAnother: Query = {
  type: 'and',
  value: [
    { type: 'isNull', field: 'id', value: false },
    { type: 'not', value: { type: 'eq', field: 'id', value: 'a' } },
  ],
}

it('only what a field can be compared with is offered', () => {
  expect(operatorsOf(fieldOf('isLent'))).toEqual(['eq', 'none', 'some'])
  expect(operatorsOf(fieldOf('genres'))).toContain('contains')
  expect(operatorsOf(fieldOf('pages'))).not.toContain('prefix')
  expect(operatorsOf(fieldOf('authors:first'))).not.toContain('none')
})

it.each<[string, Parameters<typeof queryOf>[0]['operator'], string, Query]>([
  ['pages', 'gte', ' 12 ', { type: 'gte', field: 'pages', value: 12 }],
  ['boughtAt', 'lt', '2026-01-31', { type: 'lt', field: 'boughtAt', value: '2026-01-31T00:00:00Z' }],
  ['isLent', 'eq', 'true', { type: 'eq', field: 'isLent', value: true }],
  ['id', 'in', 'a, b', { type: 'in', field: 'id', value: ['a', 'b'] }],
  ['id', 'neq', 'a', isAnother],
  ['pages', 'none', '', { type: 'isNull', field: 'pages', value: true }],
])('%s %s %s', (name, operator, text, query) => {
  expect(queryOf({ field: name, operator, text }, fieldOf(name))).toEqual(query)
})

it('a value of another kind is refused with a sentence', () => {
  expect(queryOf({ field: 'pages', operator: 'eq', text: 'many' }, fieldOf('pages'))).toMatch(/integer/)
  expect(queryOf({ field: 'pages', operator: 'in', text: '1, x' }, fieldOf('pages'))).toMatch(/integer/)
})

it('conditions and the query that says the same lead to each other', () => {
  const queries: readonly Query[] = [{ type: 'gte', field: 'pages', value: 12 }, isAnother]
  for (const each of [queries, [isAnother]]) {
    const conditions = conditionsOf(queryOfAll(each)) ?? []
    expect(conditions.map((condition) => queryOf(condition, fieldOf(condition.field)))).toEqual(each)
  }
  expect(conditionsOf(undefined)).toEqual([])
  expect(conditionsOf({ type: 'or', value: queries })).toBeUndefined()
})
