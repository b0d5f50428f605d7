import type { PolicyQuery, ScalarType } from '@octavo/protocol'
import { scalarTypes } from '@octavo/protocol'
import { expect, it } from 'vitest'
import { employeeDefinition } from '../../../test/support/employee.ts'
import { definitionProblems } from '../../write/define/check-definition.ts'
import { defineType } from '../../../test/support/define-type.ts'

const problems = (policy: PolicyQuery) =>
  definitionProblems({ ...employeeDefinition, policy }).map(({ path, problem }) => `${path} ${problem}`)
const claim = { claim: 'anything' }

it('P148: a claim can replace a value of every type', () => {
  const typed = (scalar: ScalarType, policy: PolicyQuery) =>
    definitionProblems(
      defineType(
        'thing',
        {
          id: 'string',
          one: { type: scalar, searchable: true },
          many: { type: { array: scalar }, searchable: true },
        },
        { policy },
      ),
    )
  const found = scalarTypes.flatMap((scalar) => [
    ...typed(scalar, { type: 'eq', field: 'one', value: claim }),
    ...typed(scalar, { type: 'contains', field: 'many', value: claim }),
    ...typed(scalar, { type: 'in', field: 'one', value: claim }),
    ...typed(scalar, { type: 'in', field: 'many', value: [claim, claim] }),
  ])
  expect(found).toEqual([])
})

it.each<[PolicyQuery, string]>([
  [
    { type: 'eq', field: 'nope', value: claim },
    '/policy The type employee has no property nope. There are: employeeId, fullName, department, age, salary, badge, rating, hiredAt, birthday, active, notes, names, tags, address.',
  ],
  [
    {
      type: 'and',
      value: [{ type: 'empty' }, { type: 'not', value: { type: 'eq', field: 'department', value: claim } }],
    },
    '/policy/value/1/value Query employeeId, fullName, age, notes, names, tags, address instead, or add "searchable": true to the definition of department.',
  ],
  [
    { type: 'contains', field: 'age', value: claim },
    '/policy Query age, which has the type Integer, with one of eq, lt, lte, gt, gte, in, isNull instead of contains.',
  ],
  [
    { type: 'in', field: 'age', value: [claim, 'old'] },
    '/policy Give age a value of the type Integer: it must be a JSON integer between -2147483648 and 2147483647.',
  ],
  [
    { type: 'eq', field: 'address', value: claim },
    '/policy Write address:city, address:floor instead of address.',
  ],
  [
    { type: 'or', value: Array.from({ length: 100 }, () => ({ type: 'empty' }) as const) },
    '/policy is too large for a query: nodes may be at most 100',
  ],
])('P148: %j is refused: %s', (policy, problem) => {
  expect(problems(policy)).toEqual([problem])
})
