import type { DeclaredOrder, ObjectTypeDefinition, PropertyDefinition } from '@octavo/protocol'
import { expect, it } from 'vitest'
import { employeeDefinition } from '../../../test/support/employee.ts'
import { incompatibleChanges } from './incompatible-changes.ts'
import { struct } from '../../../test/support/define-type.ts'

const { properties } = employeeDefinition
const changed = (change: Partial<ObjectTypeDefinition>) =>
  incompatibleChanges(employeeDefinition, { ...employeeDefinition, ...change }).map(
    ({ path, problem }) => `${path}: ${problem}`,
  )
const withProperty = (name: string, property: PropertyDefinition) =>
  changed({ properties: { ...properties, [name]: property } })
const byDepartmentAndNotes: DeclaredOrder = {
  fields: [
    { field: 'department', direction: 'asc' },
    { field: 'notes', direction: 'asc' },
  ],
}
const { age: _age, ...withoutAge } = properties

it.each<[string, readonly string[]]>([
  ['texts', changed({ displayName: 'Staff', description: 'All', status: 'DEPRECATED' })],
  ['texts of a property', withProperty('age', { type: 'integer', displayName: 'Years', sortable: true })],
  ['a new property', withProperty('size', { type: 'double', sortable: true, searchable: true })],
  ['a new string that is ordered by', withProperty('nick', { type: 'string', sortable: true })],
  [
    'a string that becomes searchable',
    withProperty('department', { type: 'string', sortable: true, searchable: true }),
  ],
  [
    'a number that becomes searchable and sortable',
    withProperty('badge', { type: 'long', searchable: true }),
  ],
  ['a property that is no longer searchable or sortable', withProperty('age', { type: 'integer' })],
  ['a property that is no longer required', withProperty('badge', { type: 'long' })],
  ['another title', changed({ titleProperty: 'notes' })],
  ['no declared orders', changed({ orders: [] })],
  ['another declared order', changed({ orders: [byDepartmentAndNotes] })],
  ['a property that becomes required', withProperty('age', { type: 'integer', required: true })],
  ['a new property that is required', withProperty('size', { type: 'integer', required: true })],
  ['a string that becomes sortable', withProperty('notes', { type: 'string', sortable: true })],
])('%s can be changed, as far as stored objects allow it', (_what, refused) => {
  expect(refused).toEqual([])
})

it.each<[readonly string[], string]>([
  [
    changed({ primaryKey: 'badge' }),
    '/primaryKey: primaryKey cannot change from employeeId to badge: it identifies the stored objects. Keep it, or declare a new object type.',
  ],
  [
    changed({ properties: withoutAge }),
    '/properties/age: Property age cannot be removed: stored objects would lose its values. Keep it in the definition.',
  ],
  [
    withProperty('age', { type: 'long' }),
    '/properties/age/type: Property age cannot change from Integer to Long: add a new property instead.',
  ],
  [
    withProperty('address', struct({ city: 'string' })),
    '/properties/address/type: Property address cannot change from Struct<city:String,floor:Integer> to Struct<city:String>: add a new property instead.',
  ],
  [
    withProperty('tags', { type: 'string' }),
    '/properties/tags/type: Property tags cannot change from Array<String> to String: add a new property instead.',
  ],
])('a change that no stored object could follow is refused with the sentence %#', (refused, sentence) => {
  expect(refused).toEqual([sentence])
})

it('names all that is refused at once', () => {
  expect(changed({ primaryKey: 'badge', properties: withoutAge })).toHaveLength(2)
})
