import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { chooseOrder } from '../plan/choose-order.ts'
import type { PagePlan, PointInTime } from '../plan/page-plan.ts'
import { pagePlanOf } from '../../../test/support/page-plan-of.ts'
import { employeeDefinition } from '../../../test/support/employee.ts'
import { unsavedType } from '../../../test/support/unsaved-type.ts'
import { compilePageQuery } from './compile-page-query.ts'
import { pageQueries } from './page-shapes.ts'

const types = [unsavedType(employeeDefinition), unsavedType({ ...employeeDefinition, apiName: 'person' })]
const orders = [
  [],
  [{ property: 'employeeId', direction: 'desc' }],
  [
    { property: 'department', direction: 'asc' },
    { property: 'age', direction: 'desc' },
  ],
] as const

/** Texts that could be mistaken for something else. The mark of a place is not among them: PostgreSQL would refuse it. */
const keys = fc
  .oneof(fc.string({ minLength: 1 }), fc.constantFrom('0', '1', 'version', '$1', ' ', ''))
  .map((text) => text.replaceAll('\0', ''))

const epochRanges = fc.record({
  from: fc.nat().map(String),
  count: fc.constantFrom(1, 2, 4),
})

const plans: fc.Arbitrary<PagePlan> = fc
  .record({
    type: fc.constantFrom(...types),
    wanted: fc.constantFrom(...orders),
    record: fc.constantFrom('1.0' as const, '2.0' as const),
    at: fc.oneof(
      fc.constant<PointInTime>({ kind: 'latest' }),
      fc.constant<PointInTime>({ kind: 'capture' }),
      fc
        .tuple(fc.nat(), fc.option(epochRanges, { nil: undefined }))
        .map(([version, epochs]): PointInTime => ({
          kind: 'snapshot',
          version: String(version),
          tag: 'a',
          epochs,
        })),
    ),
    keys: fc.option(fc.array(fc.option(keys), { minLength: 3, maxLength: 3 }), { nil: undefined }),
    last: keys,
    pageSize: fc.constantFrom(1, 10, 1_000),
    byteBudget: fc.constantFrom(1_000, 2_000),
  })
  .map(({ wanted, keys: position, last, ...plan }) => {
    const order = chooseOrder(plan.type, wanted)
    return {
      ...plan,
      order,
      // The primary key is never null.
      position: position && [...position.slice(0, order.keys.length - 1), last],
    }
  })

it('a remembered shape of another page gives the same statement as writing it again', () => {
  const queries = pageQueries()
  fc.assert(
    fc.property(plans, fc.boolean(), fc.boolean(), (plan, cutAtBudget, withEscapes) => {
      const options = { cutAtBudget, withEscapes }
      expect(queries(plan, options)).toEqual(compilePageQuery(plan, options))
    }),
    { numRuns: 2_000 },
  )
})

it('a definition that was reloaded gets its own statement text', () => {
  const queries = pageQueries()
  const before = unsavedType(employeeDefinition)
  const after = { ...before, rid: 'ri.ontology.main.object-type.other' }
  const planOf = (type: typeof before) => pagePlanOf(type, { record: '1.0', position: ['a'] })
  const ask = (type: typeof before) => queries(planOf(type), { cutAtBudget: false, withEscapes: true })
  ask(before)
  expect(ask(after)).toEqual(compilePageQuery(planOf(after), { cutAtBudget: false, withEscapes: true }))
  expect(ask(after).values).not.toEqual(ask(before).values)
})
