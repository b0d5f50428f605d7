import type { Query } from '@octavo/protocol'
import { expect, it } from 'vitest'
import { columnOf } from '../../catalog/object-type.ts'
import { employeeDefinition } from '../../../test/support/employee.ts'
import { unsavedType } from '../../../test/support/unsaved-type.ts'
import { chooseAccess } from './choose-access.ts'
import { chooseOrder } from './choose-order.ts'
import { resolveFilter } from '../../catalog/filter/resolve-filter.ts'

const type = unsavedType(employeeDefinition)
const age = columnOf(type, 'age')?.name ?? ''

interface Choice {
  readonly query: Query
  /** Estimated row counts: for the whole filter, then for the range or filter that each access reads. */
  readonly estimates?: readonly number[]
  readonly keptOrder?: string
  readonly pageSize?: number
  readonly statesOfEach?: number
}

async function choose({
  query,
  estimates,
  keptOrder,
  pageSize = 100,
  statesOfEach = 1,
}: Choice): Promise<string> {
  const access = await chooseAccess(type, {
    filter: resolveFilter(type, query),
    order: undefined,
    keyOrder: chooseOrder(type, []),
    pageSize,
    keptOrder,
    sides: ['current'],
    estimate: async () => {
      if (estimates === undefined) throw new Error('it was not necessary to ask')
      return estimates.map((objects) => ({ objects, states: objects * statesOfEach }))
    },
  })
  return `${access.kind} by ${access.order.keys[0]?.column}`
}

const tagged: Query = { type: 'contains', field: 'tags', value: 'x' }
const adult: Query = { type: 'gte', field: 'age', value: 18 }

it('a range that decides all is chosen without asking', async () => {
  expect(await choose({ query: adult })).toBe(`scan by ${age}`)
})

it('few matches are gathered, many are met while scanning', async () => {
  // Estimates: matches, the whole index, the gather.
  expect(await choose({ query: tagged, estimates: [10, 1_000_000, 10] })).toBe('gather by pk')
  expect(await choose({ query: tagged, estimates: [500_000, 1_000_000, 500_000] })).toBe('scan by pk')
})

it('the range with the greatest share of matches is scanned', async () => {
  const query: Query = {
    type: 'and',
    value: [
      adult,
      { type: 'lt', field: 'tags', value: 'x' },
      { type: 'gt', field: 'employeeId', value: 'e' },
    ],
  }
  // Estimates: matches, by age, by key, the gather.
  expect(await choose({ query, estimates: [900, 1_000, 800_000, 900_000] })).toBe(`scan by ${age}`)
  expect(await choose({ query, estimates: [900, 800_000, 1_000, 900_000] })).toBe('scan by pk')
})

it('a gather reads the states that ended before the version only where its index has no epoch', async () => {
  // Estimates: matches, by key, the gather.
  const estimates = [50, 100_000, 50]
  const byAge: Query = {
    type: 'or',
    value: [
      { type: 'eq', field: 'age', value: 18 },
      { type: 'eq', field: 'age', value: 21 },
    ],
  }
  expect(await choose({ query: byAge, estimates, statesOfEach: 5_000 })).toBe('gather by pk')
  expect(await choose({ query: tagged, estimates, statesOfEach: 10 })).toBe('gather by pk')
  expect(await choose({ query: tagged, estimates, statesOfEach: 5_000 })).toBe('scan by pk')
})

it('a walk keeps the order that it began in', async () => {
  const query: Query = { type: 'and', value: [adult, tagged] }
  expect(await choose({ query, estimates: [10, 1_000_000, 10], keptOrder: 'pk' })).toBe('gather by pk')
  expect(await choose({ query, keptOrder: age })).toBe(`scan by ${age}`)
})
