import { Value } from 'typebox/value'
import { expect, it } from 'vitest'

import { objectTypeDefinitionSchema, ontologyDefinitionSchema, propertyDefinitionSchema } from '../index.ts'

const employee = {
  apiName: 'com.example.object.employee',
  displayName: 'Employee',
  primaryKey: 'employeeId',
  titleProperty: 'fullName',
  properties: {
    employeeId: { type: 'integer' },
    fullName: { type: 'string', required: true, searchable: true, sortable: true },
  },
}
const optional = {
  description: 'Who works here.',
  status: 'ACTIVE',
  visibility: 'NORMAL',
  orders: [
    {
      fields: [
        { field: 'fullName', direction: 'asc' },
        { field: 'employeeId', direction: 'desc' },
      ],
    },
  ],
  policy: { type: 'eq', field: 'fullName', value: { claim: 'name' } },
}
const isDefinition = (value: unknown): boolean => Value.Check(objectTypeDefinitionSchema, value)
const isProperty = (value: unknown): boolean => Value.Check(propertyDefinitionSchema, value)
const isFamily = (family: string): boolean =>
  Value.Check(ontologyDefinitionSchema, { apiName: 'people', displayName: 'People', apiFamilies: [family] })
const scalarTypes = ['string', 'boolean', 'integer', 'long', 'double', 'decimal', 'date', 'timestamp']

it('P124: a definition has its five required fields, may have five more, and no others', () => {
  expect(isDefinition(employee)).toBe(true)
  expect(isDefinition({ ...employee, ...optional })).toBe(true)
  const without = Object.keys(employee).map((field) => ({ ...employee, [field]: undefined }))
  expect(without.filter(isDefinition)).toEqual([])
  expect(isDefinition({ ...employee, icon: 'person' })).toBe(false)
  expect(isDefinition({ ...employee, status: 'active' })).toBe(false)
  expect(isDefinition({ ...employee, properties: {} })).toBe(false)
  expect(isDefinition({ ...employee, properties: { '1st': { type: 'string' } } })).toBe(false)
})

it('P125: a property has a scalar, struct or array type and the four declarations', () => {
  const types = [
    ...scalarTypes,
    { struct: { firstName: { type: 'string' }, age: { type: 'integer' } } },
    { array: 'string' },
    { array: { struct: { firstName: { type: 'string' } } } },
  ]
  expect(types.filter((type) => isProperty({ type }))).toEqual(types)
  const others = [
    'String',
    'float',
    'array',
    null,
    { struct: {} },
    { struct: { firstName: 'string' } },
    { struct: { name: { struct: { a: { type: 'string' } } } } },
    { struct: { 'a:b': { type: 'string' } } },
    { array: { array: 'string' } },
    { array: 'string', struct: { a: { type: 'string' } } },
  ]
  expect(others.filter((type) => isProperty({ type }))).toEqual([])
  expect(isProperty({ type: 'string', required: true, searchable: false, sortable: true })).toBe(true)
  expect(isProperty({ type: 'string', counted: true })).toBe(true)
  expect(isProperty({ type: 'string', searchable: 'yes' })).toBe(false)
  expect(isProperty({ type: 'string', indexed: true })).toBe(false)
})

it('a composite order has two to four keys, each with its direction', () => {
  const key = { field: 'fullName', direction: 'asc' }
  const withOrder = (fields: unknown) => ({ ...employee, orders: [{ fields }] })
  expect(isDefinition(withOrder([key, key, key, key]))).toBe(true)
  expect(isDefinition(withOrder([key]))).toBe(false)
  expect(isDefinition(withOrder([key, key, key, key, key]))).toBe(false)
  expect(isDefinition(withOrder([key, { field: 'fullName' }]))).toBe(false)
  expect(
    isDefinition({ ...employee, orders: Array.from({ length: 17 }, () => ({ fields: [key, key] })) }),
  ).toBe(false)
})

it('the name of an API family cannot be taken for a version segment', () => {
  const families = ['gotham', 'people-2', 'v', 'v1x']
  expect(families.filter(isFamily)).toEqual(families)
  expect(['v1', 'v22', 'People', '2people', '', 'a/b'].filter(isFamily)).toEqual([])
})
