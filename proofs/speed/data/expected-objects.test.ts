import { expect, it } from 'vitest'
import { checkObjects, expectedObject, isChanged } from './expected-objects.ts'

const page = { after: 9, pageSize: 3, mode: 'latest' } as const
const right = [10, 11, 12].map((number) => expectedObject(number, 'latest'))

it('takes the objects of a page in order, whatever way nulls and times are written', () => {
  const { age: _null, ...withoutAge } = right[0] ?? {}
  const later = { ...right[1], hiredAt: new Date(String(right[1]?.hiredAt)).toISOString() }
  expect(() => checkObjects([withoutAge, later, right[2] ?? {}], page)).not.toThrow()
})

it('refuses a page that is short, out of order, or of another state', () => {
  expect(() => checkObjects(right.slice(1), page)).toThrow('2 objects instead of 3')
  expect(() => checkObjects(right.toReversed(), page)).toThrow('object 0 after employee-000000009')
  expect(() => checkObjects(right, { ...page, mode: 'snapshot' })).toThrow('edition 1')
})

it('a tenth of the objects is changed', () => {
  const changed = Array.from({ length: 1_000 }, (_, number) => number).filter(isChanged)
  expect(changed).toHaveLength(100)
})
