import type { Query } from '@octavo/client'
import { expect, it } from 'vitest'
import { facetFields } from './facet-fields.ts'
import { conditionFor, facetOf, hasCondition, toggled } from './facet.ts'

it('counts exactly what the largest groups leave out: other values, their objects, and objects without a value', () => {
  const values = [
    { value: 'landed', objects: 70 },
    { value: 'late', objects: 20 },
  ]
  expect(facetOf(values, { count: 105, distinct: 5, excluded: 12 })).toEqual({
    values,
    objects: 105,
    withoutValue: 3,
    others: { values: 3, objects: 12 },
  })
})

const landed = conditionFor('status', 'landed')
const late: Query = { type: 'gte', field: 'delay', value: 15 }

it('a value is added to the conditions that must hold, and taken away again', () => {
  expect(toggled(undefined, landed)).toEqual(landed)
  expect(toggled(landed, landed)).toBeUndefined()
  const both = { type: 'and', value: [late, landed] } as const
  expect(toggled(late, landed)).toEqual(both)
  expect(toggled(both, landed)).toEqual(late)
  expect([hasCondition(both, landed), hasCondition(late, landed)]).toEqual([true, false])
})

it('a query that is more than conditions stays whole beside a value', () => {
  const either: Query = { type: 'or', value: [late, landed] }
  expect(toggled(either, landed)).toEqual({ type: 'and', value: [either, landed] })
  expect(hasCondition(either, landed)).toBe(false)
})

it('objects without a value, and those with an empty text, have a condition of their own', () => {
  expect(conditionFor('status', null)).toEqual({ type: 'isNull', field: 'status', value: true })
  expect(conditionFor('status', '')).toEqual({ type: 'in', field: 'status', value: [''] })
})

it('facets are offered for what can be searched and has one value, but not for the primary key', () => {
  const declared = { searchable: true, sortable: false }
  const fields = facetFields({
    apiName: 'flight',
    displayName: 'Flight',
    primaryKey: 'id',
    links: {},
    orders: [],
    properties: {
      id: { type: 'string', ...declared },
      status: { type: 'string', ...declared },
      fare: { type: 'decimal', searchable: false, sortable: true },
      tags: { type: { array: 'string' }, ...declared },
      gate: { type: { struct: { hall: { type: 'string' } } }, ...declared },
    },
  })
  expect(fields.map(({ name }) => name)).toEqual(['status', 'gate:hall'])
})
