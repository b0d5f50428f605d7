import type { Query } from '@octavo/protocol'
import { expect, it } from 'vitest'
import { employeeDefinition } from '../../../test/support/employee.ts'
import { unsavedType } from '../../../test/support/unsaved-type.ts'
import { orderName } from './page-plan.ts'
import { chooseOrder } from './choose-order.ts'
import { listAccesses } from './list-accesses.ts'
import { resolveFilter } from '../../catalog/filter/resolve-filter.ts'

const type = unsavedType(employeeDefinition)
const propertyOf = (column: string) =>
  type.columns.find(({ name }) => name === column.replace('_start', ''))?.property ?? column

/** Writes each access as `scan by age within compare, check nothing`. */
function ways(query: Query, orderBy?: string): readonly string[] {
  const order =
    orderBy === undefined ? undefined : chooseOrder(type, [{ property: orderBy, direction: 'asc' }])
  const filter = resolveFilter(type, query)
  return listAccesses(type, { filter, order, keyOrder: chooseOrder(type, []) }).map((access) =>
    access.kind === 'gather'
      ? `gather by ${propertyOf(orderName(access.order))}`
      : `scan by ${propertyOf(orderName(access.order))} within ${access.within.kind}, check ${access.check.kind}`,
  )
}

const adult: Query = { type: 'gte', field: 'age', value: 18 }
const tagged: Query = { type: 'contains', field: 'tags', value: 'x' }
const noted: Query = { type: 'phrase', field: 'notes', value: 'a b' }

it('a condition on one value of an indexed property is a range of its index', () => {
  expect(ways(adult)).toContain('scan by age within compare, check everything')
  expect(ways({ type: 'eq', field: 'notes', value: 'x' })).toContain(
    'scan by notes within compare, check everything',
  )
  expect(ways({ type: 'isNull', field: 'age', value: false })).toContain(
    'scan by age within not, check everything',
  )
  expect(ways({ type: 'gt', field: 'employeeId', value: 'x' })).toEqual([
    'scan by pk within compare, check everything',
    'gather by pk',
  ])
})

it('two conditions on one property are one range, and one on another property is checked', () => {
  expect(ways({ type: 'and', value: [adult, { type: 'lt', field: 'age', value: 60 }, tagged] })).toEqual([
    'scan by age within and, check compare',
    'scan by pk within everything, check and',
    'gather by pk',
  ])
})

it('a wanted order is read in its index, within the range that its first key has', () => {
  expect(ways({ type: 'and', value: [adult, tagged] }, 'age')).toEqual([
    'scan by age within compare, check compare',
    'gather by age',
  ])
  expect(ways(adult, 'rating')).toEqual([
    'scan by rating within everything, check compare',
    'gather by rating',
  ])
})

it('arrays and terms are gathered or checked, ranges of arrays only checked', () => {
  expect(ways(tagged)).toEqual(['scan by pk within everything, check compare', 'gather by pk'])
  expect(ways(noted)).toEqual(['scan by pk within everything, check terms', 'gather by pk'])
  expect(ways({ type: 'lt', field: 'tags', value: 'x' })).toEqual([
    'scan by pk within everything, check compare',
  ])
})

it('one indexed condition is enough to gather a conjunction; a disjunction needs all of them', () => {
  const open: Query = { type: 'not', value: tagged }
  expect(ways({ type: 'and', value: [open, noted] })).toContain('gather by pk')
  expect(ways({ type: 'or', value: [open, noted] })).not.toContain('gather by pk')
  expect(ways({ type: 'or', value: [tagged, noted] })).toContain('gather by pk')
})

it('nothing is gathered: a scan would look for it everywhere', () => {
  expect(ways({ type: 'or', value: [] })).toContain('gather by pk')
})
