import { expect, it } from 'vitest'
import { ServiceError } from '../../base/errors/service-error.ts'
import { employeeDefinition } from '../../../test/support/employee.ts'
import { unsavedType } from '../../../test/support/unsaved-type.ts'
import { parsePropertyFilters } from './parse-property-filters.ts'
import { queryOfFilters } from './query-of-filters.ts'

const type = unsavedType(employeeDefinition)
const queryOf = (parameters: Readonly<Record<string, string | string[]>>) =>
  queryOfFilters(type, parsePropertyFilters(parameters))

const refusal = (parameters: Readonly<Record<string, string | string[]>>) => {
  try {
    return queryOf(parameters)
  } catch (error) {
    return error instanceof ServiceError ? error.errorName : error
  }
}

it('a single filter is a single condition, with the value of its type', () => {
  expect(queryOf({ 'p.age.gte': '18' })).toEqual({ type: 'gte', field: 'age', value: 18 })
  expect(queryOf({ 'properties.tags.contains': 'x' })).toEqual({
    type: 'contains',
    field: 'tags',
    value: 'x',
  })
  expect(queryOf({})).toEqual({ type: 'empty' })
})

it('P63: the same operator under both of its names is one filter with several values', () => {
  expect(queryOf({ 'p.age.eq': '1', 'properties.age.eq': ['2', '3'] })).toEqual({
    type: 'in',
    field: 'age',
    value: [1, 2, 3],
  })
})

it('P66: neq asks for a value, and for none of those given', () => {
  expect(queryOf({ 'p.age.neq': ['1', '2'] })).toEqual({
    type: 'and',
    value: [
      { type: 'isNull', field: 'age', value: false },
      { type: 'not', value: { type: 'in', field: 'age', value: [1, 2] } },
    ],
  })
})

it.each<[Readonly<Record<string, string | string[]>>, string]>([
  [{ 'p.age.lt': ['1', '2'] }, 'MultiplePropertyValuesNotSupported'],
  [{ 'p.age.lt': '1', 'p.age.lte': '1' }, 'InvalidRangeQuery'],
  [{ 'p.age.isNull': 'true', 'p.age.eq': '1' }, 'InvalidPropertyFiltersCombination'],
  [{ 'p.salary.eq': '1' }, 'PropertiesNotFilterable'],
  [{ 'p.tags.eq': 'x' }, 'PropertyFiltersNotSupported'],
  [{ 'p.age.contains': '1' }, 'PropertyFiltersNotSupported'],
  [{ 'p.names.isNull': 'true' }, 'PropertyFiltersNotSupported'],
  [{ 'p.age.eq': 'old' }, 'InvalidPropertyFilterValue'],
  [{ 'p.age.isNull': '1' }, 'InvalidPropertyFilterValue'],
  [{ 'p.none.eq': '1' }, 'PropertiesNotFound'],
  [{ 'p.age': '1' }, 'MalformedPropertyFilters'],
])('refuses %j with %s', (parameters, name) => {
  expect(refusal(parameters)).toBe(name)
})
