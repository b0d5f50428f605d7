import { Value } from 'typebox/value'
import { describe, expect, it } from 'vitest'

import { limits, queryTypes, querySchema, type Query, type QueryType } from '../index.ts'

const examples: Record<QueryType, Query> = {
  empty: { type: 'empty' },
  eq: { type: 'eq', field: 'name:firstName', value: 'Ada' },
  lt: { type: 'lt', field: 'age', value: 30 },
  lte: { type: 'lte', field: 'age', value: 30 },
  gt: { type: 'gt', field: 'bornOn', value: '1815-12-10' },
  gte: { type: 'gte', field: 'salary', value: '9223372036854775807' },
  in: { type: 'in', field: 'age', value: [1, 2, 3] },
  isNull: { type: 'isNull', field: 'age', value: true },
  prefix: { type: 'prefix', field: 'title', value: 'analytical eng' },
  phrase: { type: 'phrase', field: 'title', value: 'analytical engine' },
  anyTerm: { type: 'anyTerm', field: 'title', value: 'engine loom' },
  allTerms: { type: 'allTerms', field: 'title', value: 'engine loom' },
  contains: { type: 'contains', field: 'tags', value: 'maths' },
  keyword: { type: 'keyword', query: 'ada' },
  and: { type: 'and', value: [{ type: 'empty' }] },
  or: { type: 'or', value: [] },
  linked: { type: 'linked', link: 'aircraft', query: { type: 'empty' } },
  not: { type: 'not', value: { type: 'empty' } },
}

describe('P84: a query is one of the named types with the fields of its type', () => {
  it.each(queryTypes)('%s is accepted', (type) => {
    expect(Value.Check(querySchema, examples[type])).toBe(true)
  })

  it.each(queryTypes)('%s is refused with a field more or a field less', (type) => {
    const example = examples[type]
    expect(Value.Check(querySchema, { ...example, more: 1 })).toBe(false)
    const without = Object.keys(example).map((field) => ({ ...example, [field]: undefined }))
    expect(without.filter((query) => Value.Check(querySchema, query))).toEqual([])
  })

  it.each([
    { type: 'near', field: 'age', value: 1 },
    { type: 'EQ', field: 'age', value: 1 },
    { type: 'eq', field: 'age', value: null },
    { type: 'eq', field: 'age', value: [1] },
    { type: 'eq', field: 7, value: 1 },
    { type: 'in', field: 'age', value: 1 },
    { type: 'isNull', field: 'age', value: 'true' },
    { type: 'prefix', field: 'age', value: 1 },
    { type: 'and', value: { type: 'empty' } },
    { type: 'or', value: [{ type: 'near' }] },
    { type: 'not', value: [{ type: 'empty' }] },
    { type: 'not', value: { type: 'not', value: { type: 'near' } } },
    [],
    'empty',
    null,
  ])('%j is refused', (query) => {
    expect(Value.Check(querySchema, query)).toBe(false)
  })
})

it('the schema alone already bounds the values of one `in`', () => {
  const query = {
    type: 'in',
    field: 'age',
    value: Array.from({ length: limits.query.inValues + 1 }, () => 1),
  }
  expect(Value.Check(querySchema, query)).toBe(false)
})
