import type { ObjectTypeDefinition, PolicyQuery } from '@octavo/protocol'
import { expect, it } from 'vitest'
import { ServiceError } from '../../base/errors/service-error.ts'
import { employeeDefinition } from '../../../test/support/employee.ts'
import { unsavedType } from '../../../test/support/unsaved-type.ts'
import { everything, nothing } from './filter.ts'
import { policyFilter, type Claims } from './policy-filter.ts'

const withPolicy = (policy?: PolicyQuery) =>
  unsavedType({ ...employeeDefinition, ...(policy && { policy }) } satisfies ObjectTypeDefinition)
const sameAge: PolicyQuery = { type: 'eq', field: 'age', value: { claim: 'age' } }

it('P144: a type without a policy shows everything', () => {
  expect(policyFilter(withPolicy(), {})).toBe(everything)
})

it('P145: the claims of a caller are its own: nothing is taken from what all objects of JavaScript have', () => {
  const policy: PolicyQuery = {
    type: 'not',
    value: { type: 'eq', field: 'fullName', value: { claim: 'constructor' } },
  }
  expect(policyFilter(withPolicy(policy), {})).toBe(nothing)
  expect(policyFilter(withPolicy(policy), JSON.parse('{"__proto__": {"constructor": "x"}}') as Claims)).toBe(
    nothing,
  )
})

it.each([
  ['"42"', '42'],
  ['1.5', 1.5],
  ['true', true],
  ['2^31', 2 ** 31],
  ['NaN', Number.NaN],
])('P146: a claim %s that is no integer closes a policy on an integer, also under not', (_text, age) => {
  expect(policyFilter(withPolicy(sameAge), { age })).toBe(nothing)
  expect(policyFilter(withPolicy({ type: 'not', value: sameAge }), { age })).toBe(nothing)
  expect(policyFilter(withPolicy({ type: 'or', value: [{ type: 'empty' }, sameAge] }), { age })).toBe(nothing)
})

it('P148: while a property is still being filled in, a policy that needs it lets nobody read', () => {
  const type = withPolicy(sameAge)
  const columns = type.columns.map((column) => ({ ...column, filled: column.property !== 'age' }))
  const reading = () => policyFilter({ ...type, columns }, { age: 42 })
  expect(reading).toThrow(ServiceError)
  expect(reading).toThrow(expect.objectContaining({ errorName: 'Overloaded' }))
})
