import type { Query } from '@octavo/protocol'
import { expect, it } from 'vitest'
import { columnOf, termsColumnOf } from '../object-type.ts'
import { ServiceError } from '../../base/errors/service-error.ts'
import { employeeDefinition } from '../../../test/support/employee.ts'
import { unsavedType } from '../../../test/support/unsaved-type.ts'
import { everything, nothing } from './filter.ts'
import { resolveFilter } from './resolve-filter.ts'

const type = unsavedType(employeeDefinition)
const resolve = (query: Query) => resolveFilter(type, query)
const columnName = (property: string, component?: string) => columnOf(type, property, component)?.name

const refusal = (query: Query) => {
  try {
    return resolve(query)
  } catch (error) {
    return error instanceof ServiceError ? error.errorName : error
  }
}

it('fields become columns and values their canonical texts', () => {
  expect(resolve({ type: 'lte', field: 'age', value: 36 })).toEqual({
    kind: 'compare',
    column: { name: columnName('age'), scalar: 'integer', many: false, start: false },
    operator: '<=',
    value: '36',
  })
  expect(resolve({ type: 'eq', field: 'properties.employeeId', value: 'e1' })).toMatchObject({
    column: { name: 'pk', start: false },
  })
  expect(resolve({ type: 'contains', field: 'names:lastName', value: 'Byron' })).toMatchObject({
    kind: 'compare',
    column: { name: columnName('names', 'lastName'), many: true },
    operator: '=',
  })
})

it('a searchable string that is not sortable is compared by the start that its index keeps', () => {
  expect(resolve({ type: 'eq', field: 'notes', value: 'x' })).toMatchObject({ column: { start: true } })
  expect(resolve({ type: 'eq', field: 'fullName', value: 'x' })).toMatchObject({ column: { start: false } })
})

it('a list keeps each value once, and an empty one is nothing', () => {
  expect(resolve({ type: 'in', field: 'age', value: [3, 1, 3] })).toMatchObject({ values: ['3', '1'] })
  expect(resolve({ type: 'in', field: 'age', value: [] })).toBe(nothing)
})

it('what decides nothing is dropped from junctions', () => {
  const age: Query = { type: 'eq', field: 'age', value: 1 }
  expect(resolve({ type: 'and', value: [{ type: 'empty' }, age] })).toEqual(resolve(age))
  expect(resolve({ type: 'or', value: [{ type: 'empty' }, age] })).toBe(everything)
  expect(resolve({ type: 'and', value: [age, { type: 'or', value: [] }] })).toBe(nothing)
  expect(resolve({ type: 'not', value: { type: 'not', value: age } })).toEqual(resolve(age))
  expect(resolve({ type: 'not', value: { type: 'empty' } })).toBe(nothing)
})

it('term queries split their text as objects are split', () => {
  expect(resolve({ type: 'phrase', field: 'notes', value: "O'Neil: a-b" })).toEqual({
    kind: 'terms',
    column: termsColumnOf(type, 'notes')?.name,
    match: 'phrase',
    terms: ['o', 'neil', 'a', 'b'],
  })
  expect(resolve({ type: 'anyTerm', field: 'notes', value: '-' })).toBe(nothing)
})

it('keyword asks each term once, of every column of terms', () => {
  const columns = type.columns.filter(({ role }) => role === 'terms')
  const filter = resolve({ type: 'keyword', query: 'a b A' })
  expect(filter).toMatchObject({ kind: 'and', filters: [{ kind: 'or' }, { kind: 'or' }] })
  expect(filter.kind === 'and' ? filter.filters[0] : undefined).toMatchObject({
    filters: columns.map(({ name }) => ({ column: name, terms: ['a'] })),
  })
})

it('keyword with many terms is found by the longest of them and checked for the rest', () => {
  const columns = type.columns.filter(({ role }) => role === 'terms')
  const terms = Array.from({ length: 60 }, (_, i) => `t${i}`)
  const filter = resolve({ type: 'keyword', query: `${terms.join(' ')} longest` })
  const parts = filter.kind === 'and' ? filter.filters : []
  expect(parts).toHaveLength(Math.floor(100 / columns.length) + 1)
  expect(parts[0]).toMatchObject({
    kind: 'or',
    filters: columns.map(({ name }) => ({ column: name, terms: ['longest'] })),
  })
  expect(parts.at(-1)).toEqual({
    kind: 'keyword',
    columns: columns.map(({ name }) => name),
    terms: [...terms, 'longest'],
  })
})

it.each<[Query, string]>([
  [{ type: 'eq', field: 'salary', value: '1' }, 'PropertiesNotSearchable'],
  [{ type: 'eq', field: 'none', value: '1' }, 'PropertiesNotFound'],
  [{ type: 'eq', field: 'names', value: '1' }, 'InvalidFields'],
  [{ type: 'eq', field: 'age:x', value: 1 }, 'InvalidFields'],
  [{ type: 'contains', field: 'age', value: 1 }, 'PropertyTypesSearchNotSupported'],
  [{ type: 'prefix', field: 'age', value: '1' }, 'PropertyTypesSearchNotSupported'],
  [{ type: 'prefix', field: 'employeeId', value: 'e' }, 'PropertiesNotSearchable'],
  [{ type: 'eq', field: 'age', value: '1' }, 'InvalidPropertyValue'],
  [{ type: 'in', field: 'age', value: [1, 'x'] }, 'InvalidPropertyValue'],
  [{ type: 'phrase', field: 'notes', value: 'a\0' }, 'InvalidPropertyValue'],
])('refuses %j with %s', (query, name) => {
  expect(refusal(query)).toBe(name)
})
