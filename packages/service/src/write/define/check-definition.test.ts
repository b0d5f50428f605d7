import type { ObjectTypeDefinition } from '@octavo/protocol'
import { expect, it } from 'vitest'
import { employeeDefinition } from '../../../test/support/employee.ts'
import { definitionProblems } from './check-definition.ts'
import { inOrder } from '../../../test/support/define-type.ts'

const { properties } = employeeDefinition
const problems = (change: Partial<ObjectTypeDefinition>) =>
  definitionProblems({ ...employeeDefinition, ...change }).map(({ path, problem }) => `${path} ${problem}`)

it('finds nothing wrong with a definition that is right', () => {
  expect(problems({})).toEqual([])
  expect(problems({ titleProperty: 'employeeId', orders: [] })).toEqual([])
})

it.each<[Partial<ObjectTypeDefinition>, string]>([
  [{ primaryKey: 'nope' }, '/primaryKey nope is not among the properties'],
  [{ primaryKey: 'toString' }, '/primaryKey toString is not among the properties'],
  [
    { primaryKey: 'rating' },
    '/primaryKey rating must have one of the types string, integer, long, date, timestamp',
  ],
  [
    { primaryKey: 'tags' },
    '/primaryKey tags must have one of the types string, integer, long, date, timestamp',
  ],
  [{ titleProperty: 'nope' }, '/titleProperty nope is not among the properties'],
  [
    { primaryKey: 'employeeID' },
    '/primaryKey employeeID is not among the properties (did you mean "employeeId"?)',
  ],
  [{ titleProperty: 'age' }, '/titleProperty age must be a string'],
  [
    { properties: { ...properties, AGE: { type: 'string' } } },
    '/properties/AGE differs only in case from age: rename one of them',
  ],
  [
    { properties: { ...properties, many: { type: { array: 'string' }, sortable: true } } },
    '/properties/many/sortable only a scalar can be sortable',
  ],
  [{ orders: [inOrder('nope asc', 'age asc')] }, '/orders/0 nope is not among the properties'],
  [{ orders: [inOrder('tags asc', 'age asc')] }, '/orders/0 tags is not a scalar'],
  [{ orders: [inOrder('age asc', 'age desc')] }, '/orders/0 age is in this order twice'],
  [
    { orders: [inOrder('employeeId asc', 'age desc')] },
    '/orders/0 keys after the primary key have no effect: remove them',
  ],
])('%j is refused: %s', (change, problem) => {
  expect(problems(change)).toContain(problem)
})

it('names all problems at once', () => {
  expect(problems({ primaryKey: 'nope', titleProperty: 'nope' })).toHaveLength(2)
})

it('a type has no more columns than always fit into a row, counting the components of structs', () => {
  const components = Object.fromEntries(Array.from({ length: 50 }, (_, i) => [`c${i}`, 'integer' as const]))
  const structs = (count: number) =>
    Object.fromEntries(
      Array.from({ length: count }, (_, i) => [
        `s${i}`,
        { type: { struct: components }, searchable: true } as const,
      ]),
    )
  const thing = (count: number) =>
    problems({
      titleProperty: 'id',
      primaryKey: 'id',
      orders: [],
      properties: { id: { type: 'string' }, ...structs(count) },
    })
  expect(thing(8)).toEqual([])
  expect(thing(9)).toEqual([
    '/properties need 450 columns for what is searchable or sortable (a struct needs one for each component, a searchable string a second one for its terms), but the maximum is 400: make fewer of them searchable or sortable',
  ])
})
