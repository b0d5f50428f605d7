import { Value } from 'typebox/value'
import { expect, it } from 'vitest'

import { objectTypeDefinitionSchema, policyQuerySchema, querySchema } from '../index.ts'

const isPolicy = (value: unknown): boolean => Value.Check(policyQuerySchema, value)
const department = { claim: 'department' }

it('P143: a policy is a query whose values may be claims, and so may a list or its elements', () => {
  const operators = ['eq', 'lt', 'lte', 'gt', 'gte', 'contains']
  const policies = [
    ...operators.map((type) => ({ type, field: 'department', value: department })),
    ...operators.map((type) => ({ type, field: 'department', value: 'sales' })),
    { type: 'in', field: 'department', value: department },
    { type: 'in', field: 'department', value: ['public', department] },
    { type: 'not', value: { type: 'isNull', field: 'department', value: true } },
    {
      type: 'or',
      value: [
        { type: 'empty' },
        { type: 'and', value: [{ type: 'eq', field: 'department', value: department }] },
      ],
    },
    { type: 'keyword', query: 'public' },
  ]
  expect(policies.filter((policy) => !isPolicy(policy))).toEqual([])
})

it('P143: a claim is allowed nowhere else, and has a name and nothing else', () => {
  const others = [
    { type: 'isNull', field: 'department', value: department },
    { type: 'anyTerm', field: 'department', value: department },
    { type: 'keyword', query: department },
    { type: 'eq', field: department, value: 'sales' },
    { type: 'eq', field: 'department', value: { claim: '' } },
    { type: 'eq', field: 'department', value: { claim: 1 } },
    { type: 'eq', field: 'department', value: { claim: 'a', default: 'b' } },
    { type: 'eq', field: 'department', value: [department] },
    { type: 'in', field: 'department', value: [[department]] },
    department,
  ]
  expect(others.filter(isPolicy)).toEqual([])
})

it('the query of a request has no claims', () => {
  expect(Value.Check(querySchema, { type: 'eq', field: 'department', value: department })).toBe(false)
  expect(Value.Check(querySchema, { type: 'in', field: 'department', value: department })).toBe(false)
})

it('P124: a definition may have a policy', () => {
  const definition = {
    apiName: 'file',
    displayName: 'File',
    primaryKey: 'id',
    titleProperty: 'id',
    properties: { id: { type: 'string' }, department: { type: 'string', searchable: true } },
  }
  const isDefinition = (policy: unknown) => Value.Check(objectTypeDefinitionSchema, { ...definition, policy })
  expect(isDefinition({ type: 'eq', field: 'department', value: department })).toBe(true)
  expect(isDefinition('department')).toBe(false)
})
