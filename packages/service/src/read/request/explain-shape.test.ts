import { queryTypes, searchRequestSchema } from '@octavo/protocol'
import { Compile } from 'typebox/compile'
import { expect, it } from 'vitest'
import { explainShape } from './explain-shape.ts'

const types = queryTypes.join(', ')
const eq = { type: 'eq', field: 'age', value: 1 }

it.each([
  ['no query', {}, '', 'it lacks the field "query"'],
  [
    'a query that is a text',
    { query: 'Ada' },
    '/query',
    'it must be an object with the field "type", not a string',
  ],
  ['a query without a type', { query: {} }, '/query', `it lacks the field "type", which is one of ${types}`],
  [
    'a type that does not exist',
    { query: { type: 'equals' } },
    '/query/type',
    `"equals" is not one of the types, which are ${types}`,
  ],
  [
    'a type that is no text',
    { query: { type: [1] } },
    '/query/type',
    `a list is not one of the types, which are ${types}`,
  ],
  ['no field', { query: { type: 'eq', value: 1 } }, '/query', 'it lacks the field "field"'],
  ['no value', { query: { type: 'eq', field: 'age' } }, '/query', 'it lacks the field "value"'],
  [
    'a value of null',
    { query: { ...eq, value: null } },
    '/query/value',
    'it must be a string or a boolean or a number, not null',
  ],
  [
    'a field that may be null and is of another type',
    { query: eq, select: 'age' },
    '/select',
    'it must be a list, not a string',
  ],
  [
    'a field that is a number',
    { query: { ...eq, field: 7 } },
    '/query/field',
    'it must be a string, not a number',
  ],
  [
    'a field that the type does not have',
    { query: { ...eq, limit: 1 } },
    '/query',
    '"limit" is not one of its fields, which are type, field, value',
  ],
  [
    'a field called __proto__',
    { query: JSON.parse('{"type":"empty","__proto__":{}}') },
    '/query',
    '"__proto__" is not one of its fields, which are type',
  ],
  [
    'a fault deep inside',
    { query: { type: 'and', value: [eq, { type: 'not', value: { type: 'in', field: 'a', value: 'x' } }] } },
    '/query/value/1/value/value',
    'it must be a list, not a string',
  ],
  ['a list for snapshot', { query: eq, snapshot: [] }, '/snapshot', 'it must be true or false, not a list'],
  [
    'a direction that is none',
    { query: eq, orderBy: { fields: [{ field: 'a', direction: 'up' }] } },
    '/orderBy/fields/0/direction',
    'it must be one of asc, desc',
  ],
  [
    'an order that is a text',
    { query: eq, orderBy: 'age' },
    '/orderBy',
    'it must be an object, not a string',
  ],
])('P107: %s is explained at its place', (_, body, path, problem) => {
  expect(explainShape(searchRequestSchema, body)).toEqual({ path, problem })
})

it('repeats only the beginning of a long name', () => {
  const { problem = '' } = explainShape(searchRequestSchema, { query: { type: 'x'.repeat(9_999) } }) ?? {}
  expect(problem.length).toBeLessThan(400)
})

it('agrees with the validator on what has the shape', () => {
  const right = [
    { query: { type: 'empty' } },
    { query: { type: 'or', value: [] }, select: [], snapshot: true, pageSize: 3, orderBy: { fields: [] } },
    { query: { type: 'not', value: { type: 'isNull', field: 'a', value: true } } },
    { query: { type: 'in', field: 'a', value: ['a', 1, false] } },
  ]
  const validator = Compile(searchRequestSchema)
  for (const body of right) {
    expect(validator.Check(body)).toBe(true)
    expect(explainShape(searchRequestSchema, body)).toBeUndefined()
  }
})
