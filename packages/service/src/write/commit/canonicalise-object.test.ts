import type { ObjectTypeDefinition, PropertyDefinition, ScalarType } from '@octavo/protocol'
import { expect, it } from 'vitest'
import { employeeDefinition } from '../../../test/support/employee.ts'
import { unsavedType } from '../../../test/support/unsaved-type.ts'
import { canonicaliseObject } from './canonicalise-object.ts'
import { defineType, inOrder } from '../../../test/support/define-type.ts'

const employee = unsavedType(employeeDefinition)

const typeWith = (properties: Record<string, PropertyDefinition>, more: Partial<ObjectTypeDefinition> = {}) =>
  unsavedType(defineType('thing', { id: 'string', ...properties }, more))

const made = (type: typeof employee, properties: Record<string, unknown>) => {
  const result = canonicaliseObject(type, properties)
  if ('problems' in result) throw new Error(JSON.stringify(result.problems))
  return result.object
}
const rules = (type: typeof employee, properties: Record<string, unknown>) => {
  const result = canonicaliseObject(type, properties)
  return 'problems' in result ? result.problems.map(({ property, problem }) => `${property} ${problem}`) : []
}

it('writes scalars and others apart, in the order of their names, and a column for each that is needed', () => {
  const object = made(employee, {
    tags: ['x', 'y"\\', ''],
    address: { floor: 3, city: 'Bern' },
    badge: '7',
    names: [{ lastName: 'L' }, { firstName: 'F', lastName: 'M' }],
    employeeId: 'e1',
    fullName: 'A "B"',
    age: 0,
    active: false,
  })
  expect(object.key).toBe('e1')
  expect(object.scalars).toBe(
    String.raw`"active":false,"age":0,"badge":"7","employeeId":"e1","fullName":"A \"B\""`,
  )
  expect(object.others).toBe(
    String.raw`"address":{"city":"Bern","floor":3},"names":[{"lastName":"L"},{"firstName":"F","lastName":"M"}],"tags":["x","y\"\\",""]`,
  )
  const columns = Object.fromEntries(
    employee.columns
      .filter(({ role }) => role !== 'hash')
      .map(({ property, component, role }, i) => [
        `${component === undefined ? property : `${property}:${component}`}${role === 'terms' ? ' terms' : ''}`,
        object.columns[i],
      ]),
  )
  expect(columns).toEqual({
    fullName: 'A "B"',
    department: null,
    age: '0',
    salary: null,
    badge: '7',
    rating: null,
    hiredAt: null,
    birthday: null,
    active: 'false',
    notes: null,
    'names:firstName': '{"F"}',
    'names:lastName': '{"L","M"}',
    tags: String.raw`{"x","y\"\\",""}`,
    'address:city': 'Bern',
    'address:floor': '3',
    // Terms are in lower case and split at separators; an empty one keeps the values of an array apart.
    'fullName terms': '{"a","b"}',
    'notes terms': null,
    'names:firstName terms': '{"f"}',
    'names:lastName terms': '{"l","","m"}',
    'tags terms': String.raw`{"x","","y","\\"}`,
    'address:city terms': '{"bern"}',
  })
})

it('leaves out what is null or absent: the two are the same object', () => {
  const absent = made(employee, { employeeId: 'e1', badge: '1' })
  const nulls = made(employee, {
    employeeId: 'e1',
    badge: '1',
    age: null,
    tags: null,
    address: null,
    names: undefined,
  })
  expect(nulls).toEqual(absent)
  expect(absent.others).toBeNull()
})

it('keeps empty arrays, empty structs and empty strings apart from nothing', () => {
  const object = made(employee, { employeeId: 'e1', badge: '1', fullName: '', tags: [], address: {} })
  expect(object.scalars).toContain('"fullName":""')
  expect(object.others).toBe('"address":{},"tags":[]')
})

it('a struct in an array without a component leaves no value in the column of the component', () => {
  const object = made(employee, { employeeId: 'e1', badge: '1', names: [{ firstName: 'F' }, {}] })
  const column = employee.columns.findIndex(({ component }) => component === 'lastName')
  expect(object.columns[column]).toBeNull()
  expect(object.others).toBe('"names":[{"firstName":"F"},{}]')
})

it('names every property that the type does not have, also those every JavaScript object has', () => {
  const properties = JSON.parse('{"employeeId":"e1","badge":"1","nope":1,"Age":2,"__proto__":3,"toString":4}')
  expect(rules(employee, properties)).toEqual(
    ['nope', 'Age', '__proto__', 'toString'].map((name) => `${name} is not a property of the type`),
  )
})

it('properties and components may have the names of members of JavaScript objects', () => {
  const components: Record<string, { type: ScalarType }> = {}
  components['toString'] = { type: 'string' }
  components['hasOwnProperty'] = { type: 'integer' }
  const inherited: Record<string, PropertyDefinition> = {}
  inherited['constructor'] = { type: 'string', searchable: true }
  inherited['valueOf'] = { type: { struct: components }, searchable: true }
  const type = typeWith(inherited)
  expect(
    made(type, { id: '1' })
      .columns.slice(0, -1)
      .every((column) => column === null),
  ).toBe(true)
  expect(made(type, { id: '1', constructor: 'c', valueOf: { hasOwnProperty: 1 } })).toMatchObject({
    scalars: '"constructor":"c","id":"1"',
    others: '"valueOf":{"hasOwnProperty":1}',
    // Each string is followed by its terms.
    columns: ['c', '{"c"}', null, '1', null, expect.stringMatching(/^-?[0-9]+$/)],
  })
})

it('a required property and the primary key must have a value', () => {
  expect(rules(employee, {})).toEqual(['employeeId must have a value', 'badge must have a value'])
  expect(rules(employee, { employeeId: null, badge: null })).toHaveLength(2)
})

const withKey = (employeeId: string) => rules(employee, { employeeId, badge: '1' })

it('a string key has between 1 and 1,024 bytes of UTF-8', () => {
  expect(withKey('')).toEqual(['employeeId must not be empty, because it is the primary key'])
  expect(withKey('k'.repeat(1024))).toEqual([])
  expect(withKey('😀'.repeat(256))).toEqual([])
  const tooLong =
    'employeeId must be at most 1024 bytes of UTF-8, because it is the primary key; this has 1025'
  expect(withKey('k'.repeat(1025))).toEqual([tooLong])
  expect(withKey(`${'é'.repeat(512)}k`)).toEqual([tooLong])
})

it('a string that pages are ordered by has at most 1,000 bytes, any other as many as it likes', () => {
  const type = typeWith(
    {
      sorted: { type: 'string', sortable: true },
      declared: { type: 'string' },
      n: { type: 'integer' },
      free: { type: 'string', searchable: true },
    },
    { orders: [inOrder('declared asc', 'n asc')] },
  )
  const longest = 'é'.repeat(500)
  expect(rules(type, { id: '1', sorted: longest, declared: longest, free: 'x'.repeat(100_000) })).toEqual([])
  expect(rules(type, { id: '1', sorted: `${longest}x`, declared: `${longest}x` })).toEqual([
    'sorted must be at most 1000 bytes of UTF-8, because pages are ordered by it; this has 1001',
    'declared must be at most 1000 bytes of UTF-8, because pages are ordered by it; this has 1001',
  ])
})

it('every problem of the object is named at once, with its place inside', () => {
  const object = {
    employeeId: 'e1',
    badge: 1.5,
    age: '7',
    tags: ['ok', null],
    names: [{ firstName: 'F' }, { firstName: 1 }],
    address: { city: 'Bern', street: 'x' },
  }
  expect(rules(employee, object)).toEqual([
    'age must be a JSON integer between -2147483648 and 2147483647',
    'badge must be a string of digits between "-9223372036854775808" and "9223372036854775807"',
    'names element 1 component firstName must be a JSON string',
    'tags element 1 must be a JSON string',
    'address must not have the component "street"',
  ])
})

it('arrays and structs must be arrays and structs', () => {
  const given = { employeeId: 'e1', badge: '1', tags: 'x', names: [['a']], address: [] }
  expect(rules(employee, given)).toEqual([
    'names element 0 must be a JSON object',
    'tags must be a JSON array',
    'address must be a JSON object',
  ])
  expect(rules(employee, { employeeId: 'e1', badge: '1', tags: { length: 0 }, address: 'x' })).toHaveLength(2)
})

it('says the type and the value that was refused', () => {
  expect(canonicaliseObject(employee, { employeeId: 'e1', badge: '1', salary: 0.5 })).toEqual({
    problems: [
      {
        property: 'salary',
        type: 'Decimal',
        value: 0.5,
        problem: 'must be a string such as "-12.50", with at most 38 digits',
      },
    ],
  })
})

it.each([
  ['integer', -5, '-5'],
  ['long', '9223372036854775807', '9223372036854775807'],
  ['date', '0001-01-01', '0001-01-01'],
  ['timestamp', '2021-05-01T14:00:00+02:00', '2021-05-01T12:00:00Z'],
] as const)('a key of type %s is canonical too', (type, value, key) => {
  expect(made(typeWith({ id: { type } }), { id: value }).key).toBe(key)
})
