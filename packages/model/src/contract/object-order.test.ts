import { expect, it } from 'vitest'
import { expectedOrder } from './object-order.ts'

it('has nulls last in both directions, and the key in the direction of the last one', () => {
  const type = { primaryKey: 'id', properties: { id: { type: 'string' }, age: { type: 'integer' } } } as const
  const objects = [{ id: 'a', age: 1 }, { id: 'b' }, { id: 'c', age: 2 }, { id: 'd', age: 1 }, { id: 'e' }]
  const inOrder = (direction: 'asc' | 'desc') =>
    objects.toSorted(expectedOrder(type, [{ property: 'age', direction }])).map(({ id }) => id)
  expect(inOrder('asc')).toEqual(['a', 'd', 'c', 'b', 'e'])
  expect(inOrder('desc')).toEqual(['c', 'd', 'a', 'e', 'b'])
})
