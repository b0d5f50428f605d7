import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createClient } from '@octavo/client'
import { format } from 'prettier'
import { expect, expectTypeOf, it } from 'vitest'
import type {
  ComExampleShelf,
  ComExampleShelfType,
  Employee,
  EmployeeType,
  Ontology,
} from './library.golden.ts'
import { writeTypesFile } from './write-types-file.ts'
import { defineType, inOrder, struct, structs } from '../../../service/test/support/define-type.ts'

const employee = defineType(
  'employee',
  {
    employeeId: 'integer',
    fullName: 'string required searchable sortable',
    active: 'boolean searchable',
    badge: 'long searchable',
    rating: 'double',
    salary: 'decimal searchable',
    'started-on': 'date sortable',
    seenAt: 'timestamp searchable',
    tags: 'string[] searchable',
    scores: 'integer[] searchable',
    name: structs({ firstName: 'string', age: 'integer' }, 'searchable'),
    address: struct({ city: 'string', 'post-code': 'string' }, 'searchable'),
    note: 'string',
  },
  {
    displayName: 'Employee */ of\nthe library',
    titleProperty: 'fullName',
    orders: [inOrder('fullName asc', 'started-on desc'), inOrder('active asc', 'fullName asc')],
  },
)

const shelf = defineType('com.example.shelf', { code: 'string' }, { displayName: 'Shelf' })

const golden = readFileSync(join(import.meta.dirname, 'library.golden.ts'), 'utf8')

it('writes the file that is kept beside this test', async () => {
  const style = { semi: false, singleQuote: true, printWidth: 110, parser: 'typescript' } as const
  expect(await format(writeTypesFile([employee, shelf]), style)).toBe(golden)
})

it('names every interface differently, and none like the ontology', () => {
  const named = ['ontology', 'a.b', 'aB', 'a-b', 'flight', 'flightType'].map((apiName) => ({
    ...shelf,
    apiName,
  }))
  const names = [...writeTypesFile(named).matchAll(/^export interface (\w+) /gm)].map(([, name]) => name)
  expect(new Set(names).size).toBe(names.length)
  expect(names).toEqual([
    'Ontology',
    'AB',
    'ABType',
    'AB2',
    'AB2Type',
    'AB3',
    'AB3Type',
    'Flight',
    'FlightType',
    'FlightType2',
    'FlightType2Type',
    'Ontology2',
    'Ontology2Type',
  ])
})

it('does not depend on the order in which the types come', () => {
  expect(writeTypesFile([shelf, employee])).toBe(writeTypesFile([employee, shelf]))
})

it('writes what the client takes', () => {
  const client = createClient<Ontology>({ url: 'http://127.0.0.1:1', token: 'none' })
  const employees = client.family('library').objects('employee')
  const walk = employees.search((q) => q.and(q.gt('name:age', 3), q.prefix('address:post-code', '10')), {
    orderBy: [{ field: 'started-on', direction: 'desc' }],
    select: ['fullName', 'name'],
  })
  expectTypeOf<(typeof walk extends AsyncIterable<infer Item> ? Item : never)['properties']>().toEqualTypeOf<{
    readonly employeeId: number
    readonly fullName: string
    readonly name?: readonly { readonly firstName?: string; readonly age?: number }[]
  }>()
  const shelves = client.ontology('ri').objects('com.example.shelf')
  // @ts-expect-error an order that is not declared
  shelves.all({ orderBy: [{ field: 'code' }, { field: 'code' }] })
  // @ts-expect-error not searchable
  employees.search((q) => q.eq('note', 'x'))
  expect(walk.restarts).toBe(0)
  // Objects with all their properties have the named interfaces, so that they can be passed on.
  const whole = employees.all()
  expectTypeOf<
    (typeof whole extends AsyncIterable<infer Item> ? Item : never)['properties']
  >().toEqualTypeOf<Employee>()
  const listed = shelves.all()
  expectTypeOf<
    (typeof listed extends AsyncIterable<infer Item> ? Item : never)['properties']
  >().toEqualTypeOf<ComExampleShelf>()
  expectTypeOf<Ontology['employee']['properties']>().toEqualTypeOf<Employee>()
  expectTypeOf<Ontology>().toEqualTypeOf<{
    readonly 'com.example.shelf': ComExampleShelfType
    readonly employee: EmployeeType
  }>()
})
