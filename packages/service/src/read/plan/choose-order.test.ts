import { expect, it } from 'vitest'
import { declaredOrder } from '@octavo/model'
import { ServiceError } from '../../base/errors/service-error.ts'
import { employeeDefinition } from '../../../test/support/employee.ts'
import { unsavedType } from '../../../test/support/unsaved-type.ts'
import type { OrderByKey } from '../request/page-request.ts'
import { chooseOrder } from './choose-order.ts'

const type = unsavedType(employeeDefinition)

/** Writes an order as `age desc, pk desc | backward`, with property names instead of column names. */
const chosen = (wanted: readonly OrderByKey[], of = type) => {
  const { keys, scan } = chooseOrder(of, wanted)
  const name = (column: string) =>
    of.columns.find((candidate) => candidate.name === column)?.property ?? column
  return `${keys.map((key) => `${name(key.column)} ${key.direction}`).join(', ')} | ${scan}`
}
const refusal = (wanted: readonly OrderByKey[], of = type) => {
  try {
    return chosen(wanted, of)
  } catch (error) {
    return error instanceof ServiceError ? { [error.errorName]: error.parameters } : error
  }
}
const asc = (property: string): OrderByKey => ({ property, direction: 'asc' })
const desc = (property: string): OrderByKey => ({ property, direction: 'desc' })

it.each<[readonly OrderByKey[], string]>([
  [[], 'pk asc | forward'],
  [[asc('employeeId')], 'pk asc | forward'],
  [[desc('employeeId')], 'pk desc | backward'],
  [[asc('age')], 'age asc, pk asc | forward'],
  [[desc('age')], 'age desc, pk desc | backward'],
  [[desc('badge')], 'badge desc, pk desc | backward'],
  [[asc('department'), desc('age')], 'department asc, age desc, pk desc | forward'],
  [
    [desc('active'), asc('hiredAt'), desc('rating')],
    'active desc, hiredAt asc, rating desc, pk desc | forward',
  ],
])('%j is served as %s', (wanted, order) => {
  expect(chosen(wanted)).toBe(order)
})

it.each<[readonly OrderByKey[], readonly string[], string]>([
  [[asc('notes')], ['notes'], '"sortable": true to the property notes'],
  [
    [asc('age'), asc('department')],
    ['age', 'department'],
    '{"fields":[{"field":"age","direction":"asc"},{"field":"department","direction":"asc"}]} to "orders"',
  ],
  // The same keys reversed: nulls of age would come first within each department.
  [
    [desc('department'), asc('age')],
    ['department', 'age'],
    '{"fields":[{"field":"department","direction":"desc"},{"field":"age","direction":"asc"}]} to "orders"',
  ],
  [
    [asc('department'), asc('age')],
    ['department', 'age'],
    '{"fields":[{"field":"department","direction":"asc"},{"field":"age","direction":"asc"}]} to "orders"',
  ],
  // A prefix of a declared order needs another tie-breaker than its index has.
  [
    [desc('active'), asc('hiredAt')],
    ['active', 'hiredAt'],
    '{"fields":[{"field":"active","direction":"desc"},{"field":"hiredAt","direction":"asc"}]} to "orders"',
  ],
])('%j is refused with the declaration that would serve it', (wanted, properties, declaration) => {
  expect(refusal(wanted)).toMatchObject({ PropertiesNotSortable: { properties, declaration } })
})

it.each([
  [[asc('tags')], 'tags'],
  [[asc('names')], 'names'],
  [[asc('age'), asc('nope')], 'nope'],
])('%j is refused without a declaration: nothing would serve it', (wanted, property) => {
  const { PropertiesNotSortable: refused } = refusal(wanted) as { readonly PropertiesNotSortable: object }
  expect(refused).toMatchObject({ properties: [property], possibleOrders: expect.any(Array) })
  expect(refused).not.toHaveProperty('declaration')
})

it('a declared order may end with the primary key, in either direction', () => {
  const declared = unsavedType({
    ...employeeDefinition,
    orders: [declaredOrder(asc('age'), desc('employeeId'))],
  })
  expect(chosen([asc('age'), desc('employeeId')], declared)).toBe('age asc, pk desc | forward')
  expect(refusal([desc('age'), asc('employeeId')], declared)).toHaveProperty('PropertiesNotSortable')
})

it('an index that is not built on both tables, and a column that is not filled, are not used', () => {
  const unbuilt = { ...type, indexes: type.indexes.map((index) => ({ ...index, ready: false })) }
  const unfilled = { ...type, columns: type.columns.map((column) => ({ ...column, filled: false })) }
  expect(refusal([asc('age')], unbuilt)).toHaveProperty('PropertiesNotSortable')
  expect(refusal([asc('age')], unfilled)).toHaveProperty('PropertiesNotSortable')
  expect(chosen([], unfilled)).toBe('pk asc | forward')
})

it('the start of a string serves no order: values that begin alike would be mixed up', () => {
  const index = type.indexes.find(({ kind }) => kind === 'start')
  expect(index?.keys.map((key) => key.column)).toEqual([
    type.columns.find(({ property }) => property === 'notes')?.name,
  ])
  expect(refusal([asc('notes')])).toHaveProperty('PropertiesNotSortable')
})

it('a property that is only searched is ordered by its index all the same, unless it is a string', () => {
  const searched = unsavedType({
    ...employeeDefinition,
    properties: { ...employeeDefinition.properties, size: { type: 'integer', searchable: true } },
  })
  expect(chosen([asc('size')], searched)).toBe('size asc, pk asc | forward')
})
