import { expect, it } from 'vitest'
import { objectTypeOf } from '../../../src/catalog/object-type.ts'
import { employeeDefinition } from '../employee.ts'
import { TypeModel } from './type-model.ts'

const type = objectTypeOf(
  { schema: 'octavo_1', id: 1, revision: 1, revisionTag: 'tag' },
  { rid: 'ri.ontology.main.object-type.1', definition: employeeDefinition, columns: [], indexes: [] },
)
const put = (key: string, properties: Record<string, unknown> = {}) =>
  ({ kind: 'put', key, properties: { employeeId: key, badge: '1', ...properties } }) as const
const keysAt = (model: TypeModel, version: bigint) => model.objectsAt(version).map((object) => object.key)

it('knows each version, in whatever order it is told of the commits', () => {
  const model = new TypeModel(type)
  model.record(3n, [{ kind: 'delete', key: 'a' }, put('c')])
  model.record(1n, [put('a', { age: 1 })])
  model.record(2n, [put('a', { age: 2 }), put('b')])
  expect([0n, 1n, 2n, 3n].map((version) => keysAt(model, version).toSorted())).toEqual([
    [],
    ['a'],
    ['a', 'b'],
    ['b', 'c'],
  ])
  expect(model.objectAt('a', 1n)?.properties['age']).toBe(1)
  expect(model.livedThrough('a', 1n, 2n)).toBe(true)
  expect(model.livedThrough('a', 1n, 3n)).toBe(false)
  expect(model.livedThrough('b', 1n, 3n)).toBe(false)
})

it('takes the last of two changes of one key in one commit', () => {
  const model = new TypeModel(type)
  model.record(1n, [put('a'), { kind: 'delete', key: 'a' }, put('b'), put('b', { age: 9 })])
  expect(keysAt(model, 1n)).toEqual(['b'])
  expect(model.objectAt('b', 1n)?.properties['age']).toBe(9)
})

it('orders with nulls last in both directions and the key in the direction of the last one', () => {
  const model = new TypeModel(type)
  model.record(1n, [put('a', { age: 1 }), put('b'), put('c', { age: 2 }), put('d', { age: 1 }), put('e')])
  const inOrder = (direction: 'asc' | 'desc') =>
    model.inOrder(model.objectsAt(1n), [{ property: 'age', direction }]).map((object) => object.key)
  expect(inOrder('asc')).toEqual(['a', 'd', 'c', 'b', 'e'])
  expect(inOrder('desc')).toEqual(['c', 'd', 'a', 'e', 'b'])
})
