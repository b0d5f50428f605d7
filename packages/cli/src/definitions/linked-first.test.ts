import { expect, it } from 'vitest'
import { linkedFirst } from './linked-first.ts'
import { defineType } from '../../../service/test/support/define-type.ts'

const type = (apiName: string, ...targets: readonly string[]) =>
  defineType(
    apiName,
    { id: 'string' },
    {
      links: Object.fromEntries(
        targets.map((to) => [to, { objectType: to, foreignKeyProperty: 'id', reverse: apiName }]),
      ),
    },
  )

const order = (...types: readonly ReturnType<typeof type>[]) =>
  linkedFirst(types).map(({ apiName }) => apiName)

it('puts what links lead to before the type that declares them, and else keeps the order of the file', () => {
  expect(
    order(type('flight', 'aircraft', 'airport'), type('airport'), type('aircraft', 'maker'), type('maker')),
  ).toEqual(['maker', 'aircraft', 'airport', 'flight'])
})

it('leaves circles, links to the type itself and links to types of the service as they are', () => {
  expect(order(type('a', 'b'), type('b', 'a'), type('c', 'c', 'elsewhere'))).toEqual(['b', 'a', 'c'])
})
