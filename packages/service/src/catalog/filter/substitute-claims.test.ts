import type { PolicyQuery } from '@octavo/protocol'
import { expect, it } from 'vitest'
import { substituteClaims } from './substitute-claims.ts'

const ofCaller = (policy: PolicyQuery, claims: Readonly<Record<string, unknown>>) =>
  substituteClaims(policy, (name) => claims[name])
const department = { claim: 'department' }
const sameDepartment: PolicyQuery = { type: 'eq', field: 'department', value: department }

it('P143: a claim is replaced by its value, also within and, or and not', () => {
  const policy: PolicyQuery = {
    type: 'or',
    value: [
      sameDepartment,
      { type: 'not', value: { type: 'and', value: [sameDepartment, { type: 'empty' }] } },
    ],
  }
  const same = { type: 'eq', field: 'department', value: 'sales' }
  expect(ofCaller(policy, { department: 'sales' })).toEqual({
    type: 'or',
    value: [same, { type: 'not', value: { type: 'and', value: [same, { type: 'empty' }] } }],
  })
})

it('P143: a list may be a claim, or hold claims; a single value is a list of one', () => {
  const inClaim: PolicyQuery = { type: 'in', field: 'department', value: department }
  const listOf = (policy: PolicyQuery, claim: unknown) => {
    const query = ofCaller(policy, { department: claim })
    return query?.type === 'in' ? query.value : query
  }
  expect(listOf(inClaim, ['sales', 'legal'])).toEqual(['sales', 'legal'])
  expect(listOf(inClaim, 'sales')).toEqual(['sales'])
  expect(listOf(inClaim, [])).toEqual([])
  const holds: PolicyQuery = { type: 'in', field: 'department', value: ['public', department] }
  expect(listOf(holds, 'sales')).toEqual(['public', 'sales'])
  expect(listOf(holds, ['sales'])).toBeUndefined()
})

it('P145, P146: one claim that is missing or not a valid value closes the whole policy, whatever else is in it', () => {
  const around: readonly PolicyQuery[] = [
    sameDepartment,
    { type: 'not', value: sameDepartment },
    { type: 'or', value: [{ type: 'empty' }, sameDepartment] },
    { type: 'not', value: { type: 'in', field: 'department', value: ['public', department] } },
  ]
  const claims = [{}, { department: null }, { department: {} }, { department: ['sales'] }, { other: 'sales' }]
  const open = around.flatMap((policy) => claims.map((held) => ofCaller(policy, held)))
  expect(open.filter((query) => query !== undefined)).toEqual([])
})

it('P146: a list with something else than values, or with more than 1,000, closes the policy', () => {
  const policy: PolicyQuery = { type: 'not', value: { type: 'in', field: 'department', value: department } }
  const lists = [[null], ['a', {}], [['a']], Array.from({ length: 1_001 }, (_, i) => i)]
  expect(lists.map((list) => ofCaller(policy, { department: list }))).toEqual(lists.map(() => undefined))
})
