import { expect, it } from 'vitest'
import { queryOf, readCondition } from './read-condition.ts'
import type { TypeFacts } from './type-facts.ts'

const facts: TypeFacts = {
  apiName: 'employee',
  primaryKey: 'id',
  titleProperty: 'fullName',
  links: {},
  properties: new Map<string, never>([
    ['id', 'integer' as never],
    ['fullName', 'string' as never],
    ['salary', 'long' as never],
    ['active', 'boolean' as never],
    ['name', { array: { struct: { last: { type: 'string' }, rank: { type: 'integer' } } } } as never],
  ]),
}

const queryIn = (...texts: readonly string[]) => queryOf(texts.map((text) => readCondition(text, facts)))

it.each([
  ['id eq 7', { type: 'eq', field: 'id', value: 7 }],
  ['fullName eq 7', { type: 'eq', field: 'fullName', value: '7' }],
  ['fullName eq "Ada L"', { type: 'eq', field: 'fullName', value: 'Ada L' }],
  ['fullName eq Ada Lovelace', { type: 'eq', field: 'fullName', value: 'Ada Lovelace' }],
  ['salary gte 9007199254740993', { type: 'gte', field: 'salary', value: '9007199254740993' }],
  ['active eq true', { type: 'eq', field: 'active', value: true }],
  ['name:rank lt 3', { type: 'lt', field: 'name:rank', value: 3 }],
  [
    'fullName neq Ada',
    {
      type: 'and',
      value: [
        { type: 'isNull', field: 'fullName', value: false },
        { type: 'not', value: { type: 'eq', field: 'fullName', value: 'Ada' } },
      ],
    },
  ],
  ['fullName isNull', { type: 'isNull', field: 'fullName', value: true }],
  ['fullName isNull false', { type: 'isNull', field: 'fullName', value: false }],
  ['id in 1,2', { type: 'in', field: 'id', value: [1, 2] }],
  ['fullName in ["a,b", "c"]', { type: 'in', field: 'fullName', value: ['a,b', 'c'] }],
  ['fullName prefix Ad', { type: 'prefix', field: 'fullName', value: 'Ad' }],
])('%s', (text, query) => {
  expect(queryIn(text)).toEqual(query)
})

it('none is everything, several must all hold', () => {
  expect(queryIn()).toEqual({ type: 'empty' })
  expect(queryIn('id eq 1', 'active eq false')).toMatchObject({
    type: 'and',
    value: [{ type: 'eq' }, { type: 'eq' }],
  })
})

it.each([
  ['id', '--where must be a field, an operator and a value'],
  ['id is 7', 'The operators are eq, lt'],
  ['age eq 7', 'employee has no property age. It has id, fullName'],
  ['id eq', 'has no value'],
  ['id eq seven', 'must be of the type integer, not "seven"'],
  ['active eq yes', 'must be true or false'],
])('refuses %j', (text, sentence) => {
  expect(() => queryIn(text)).toThrow(sentence)
})
