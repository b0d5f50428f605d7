import { Value } from 'typebox/value'
import { describe, expect, it } from 'vitest'

import {
  conditionOf,
  limits,
  queryOperatorNames,
  queryTypes,
  querySchema,
  type Query,
  type QueryOperator,
  type QueryType,
} from '../index.ts'

const conditions = queryOperatorNames.map((name) => [name, conditionOf(name, 'name:firstName', ['Ada', 7])])

const examples = {
  ...(Object.fromEntries(conditions) as Record<QueryOperator, Query>),
  empty: { type: 'empty' },
  keyword: { type: 'keyword', query: 'ada' },
  and: { type: 'and', value: [{ type: 'empty' }] },
  or: { type: 'or', value: [] },
  linked: { type: 'linked', link: 'aircraft', query: { type: 'empty' } },
  not: { type: 'not', value: { type: 'empty' } },
} satisfies Record<QueryType, Query>

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
