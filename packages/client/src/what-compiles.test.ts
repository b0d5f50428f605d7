// What the compiler allows and refuses: `tsc` checks this file, and each line marked as refused must be refused.
import type { ErrorParameters as WireParameters, Query as WireQuery } from '@octavo/protocol'
import { expect, expectTypeOf, it } from 'vitest'
import type { ServiceErrorParameters } from './errors/error-parameters.ts'
import {
  createClient,
  OctavoError,
  queryBuilder,
  type Query,
  type RestartReason,
  type Walk,
} from './index.ts'
import type { Library } from '../test/support/library.ts'

const client = createClient<Library>({ url: 'http://127.0.0.1:1', token: 'none' })
const employees = client.family('library').objects('employee')
const listed = client.ontology('ri').objects('employee')

/** Type-checked, never run. */
const compiled = (work: (error?: unknown) => unknown): string => typeof work

it('objects have the properties of their type', () => {
  const kind = compiled(async () => {
    for await (const { primaryKey, properties } of employees.all()) {
      expectTypeOf(primaryKey).toBeString()
      expectTypeOf(properties.employeeId).toBeNumber()
      expectTypeOf(properties.active).toEqualTypeOf<boolean | undefined>()
      expectTypeOf(properties.name?.[0]?.firstName).toEqualTypeOf<string | undefined>()
      // @ts-expect-error the type has no such property
      void properties.age
    }
    for await (const { rid, properties } of listed.all()) {
      expectTypeOf(rid).toBeString()
      expectTypeOf(properties.badge).toEqualTypeOf<string | undefined>()
      // @ts-expect-error revision 1.0 leaves arrays out
      void properties.tags
    }
    for await (const { properties } of employees.all({ select: ['active'] })) {
      expectTypeOf(properties).toEqualTypeOf<{ readonly employeeId: number; readonly active?: boolean }>()
    }
    // @ts-expect-error no such object type
    client.family('library').objects('person')
    // @ts-expect-error no such property
    employees.all({ select: ['age'] })
    // @ts-expect-error not a scalar
    listed.all({ select: ['tags'] })
    await employees.get(7)
    // @ts-expect-error the key is a number
    await employees.get('7')
  })
  expect(kind).toBe('function')
})

it('changes have the objects of their type, and a delete has none', () => {
  const kind = compiled(async () => {
    const difference = employees.changes('', { select: ['active'], query: (q) => q.eq('active', true) })
    for await (const change of difference) {
      expectTypeOf(change.primaryKey).toBeString()
      // @ts-expect-error a delete has no object
      void change.object
      if (change.type === 'delete') expectTypeOf(change.reason).toEqualTypeOf<'deleted' | 'left'>()
      else expectTypeOf(change.object.properties.active).toEqualTypeOf<boolean | undefined>()
      // @ts-expect-error not selected
      if (change.type === 'put') void change.object.properties.fullName
    }
    expectTypeOf(difference.snapshotToken).toBeString()
    for await (const { restarts, toVersion } of employees.follow({ onExpired: 'restart' })) {
      expectTypeOf(restarts).toEqualTypeOf<RestartReason | undefined>()
      expectTypeOf(toVersion).toBeString()
    }
    // @ts-expect-error no such property
    employees.follow({ select: ['age'] })
    // @ts-expect-error not searchable
    employees.changes('', { query: (q) => q.eq('startedOn', '2021-05-01') })
  })
  expect(kind).toBe('function')
})

it('an order is by one sortable property, or as declared', () => {
  const kind = compiled(() => {
    const byName = { field: 'fullName', direction: 'asc' } as const
    const latestFirst = { field: 'startedOn', direction: 'desc' } as const
    employees.all({ orderBy: [latestFirst] })
    employees.all({ orderBy: [byName, latestFirst] })
    // @ts-expect-error not sortable
    employees.all({ orderBy: [{ field: 'active' }] })
    // @ts-expect-error not declared in this order
    employees.all({ orderBy: [latestFirst, byName] })
  })
  expect(kind).toBe('function')
})

it('only valid queries can be built', () => {
  const kind = compiled(() => {
    employees.search((q) =>
      q.and(
        q.eq('fullName', 'Ada'),
        q.or(q.gt('badge', '9007199254740993'), q.lte('employeeId', 12)),
        q.not(q.isNull('active')),
        q.contains('tags', 'x'),
        q.prefix('name:lastName', 'By'),
        q.in('employeeId', [1, 2]),
        q.keyword('ada byron'),
      ),
    )
    employees.search({ type: 'eq', field: 'active', value: true })
    // @ts-expect-error not searchable
    employees.search((q) => q.eq('startedOn', '2021-05-01'))
    // @ts-expect-error a value of another type
    employees.search((q) => q.eq('employeeId', '12'))
    // @ts-expect-error a value of another type in a list
    employees.search((q) => q.in('employeeId', ['12']))
    // @ts-expect-error booleans have no ranges
    employees.search((q) => q.lt('active', true))
    // @ts-expect-error not many-valued
    employees.search((q) => q.contains('fullName', 'Ada'))
    // @ts-expect-error terms are for strings
    employees.search((q) => q.anyTerm('badge', '1'))
    // @ts-expect-error a struct is asked for by its components
    employees.search((q) => q.isNull('name'))
    // @ts-expect-error the same as JSON
    employees.search({ type: 'eq', field: 'employeeId', value: '12' })
    // @ts-expect-error a query of another type
    employees.search(queryBuilder<Library['shelf']>().eq('code', 'A1'))
    const shelves = client.family('library').objects('shelf')
    shelves.search((q) => q.eq('code', 'A1'))
    // @ts-expect-error the key is compared, but its terms are not kept
    shelves.search((q) => q.prefix('code', 'A'))
    // @ts-expect-error lists have filters, not queries
    void listed.search
    listed.all({ filters: { fullName: { eq: ['Ada', 'Alan'] } } })
    // @ts-expect-error not searchable
    listed.all({ filters: { startedOn: { eq: '2021-05-01' } } })
  })
  expect(kind).toBe('function')
})

it('filters are on searchable properties, with operators and values of their types', () => {
  const kind = compiled(() => {
    listed.all({
      filters: {
        employeeId: { gte: 1, neq: [3, 4] },
        badge: { lt: '9007199254740993' },
        active: { eq: true },
        tags: { contains: ['a', 'b'] },
        fullName: { isNull: false },
      },
    })
    // @ts-expect-error no such property
    listed.all({ filters: { fulName: { eq: 'Ada' } } })
    // @ts-expect-error no such operator
    listed.all({ filters: { fullName: { equals: 'Ada' } } })
    // @ts-expect-error a value of another type
    listed.all({ filters: { employeeId: { eq: '12' } } })
    // @ts-expect-error a value of another type in a list
    listed.all({ filters: { employeeId: { eq: [12, '13'] } } })
    // @ts-expect-error ranges take one value
    listed.all({ filters: { employeeId: { gt: [1, 2] } } })
    // @ts-expect-error booleans have no ranges
    listed.all({ filters: { active: { gt: true } } })
    // @ts-expect-error not many-valued
    listed.all({ filters: { fullName: { contains: 'Ada' } } })
    // @ts-expect-error many-valued
    listed.all({ filters: { tags: { eq: 'a' } } })
    // @ts-expect-error isNull is true or false
    listed.all({ filters: { fullName: { isNull: 'true' } } })
    // @ts-expect-error components of structs have no filters
    listed.all({ filters: { 'name:firstName': { contains: 'Ada' } } })
    // @ts-expect-error searches have queries, not filters
    employees.all({ filters: { fullName: { eq: 'Ada' } } })
  })
  expect(kind).toBe('function')
})

it('without generated types every name is allowed', () => {
  const kind = compiled(async () => {
    const untyped = createClient({ url: '', token: '' })
    const objects = untyped.family('any').objects('thing')
    for await (const { properties } of objects.search((q) =>
      q.and(q.eq('a', 1), q.contains('b', 'x'), q.prefix('c', 'd')),
    )) {
      void properties['whatever']
    }
    objects.all({ orderBy: [{ field: 'a' }, { field: 'b', direction: 'desc' }], select: ['a'] })
    await objects.get('key')
    const things = untyped.ontology('ri').objects('thing')
    await things.get(7)
    things.all({ filters: { a: { eq: [1, 'x'], lt: 3, contains: true, isNull: false } } })
    expectTypeOf(untyped.resume<{ readonly rid: string }>('')).toEqualTypeOf<Walk<{ readonly rid: string }>>()
  })
  expect(kind).toBe('function')
})

it('errorName narrows the parameters of an error', () => {
  const kind = compiled((error) => {
    if (!(error instanceof OctavoError)) return
    if (error.errorName === 'InvalidPageToken') {
      expectTypeOf(error.parameters.reason).toEqualTypeOf<
        'malformed' | 'expired' | 'requestChanged' | 'otherCaller'
      >()
    }
    // @ts-expect-error only some errors have it
    void error.parameters.reason
  })
  expect(kind).toBe('function')
})

it('the parameters of errors are those of the protocol, and every query is one of the protocol', () => {
  type Names = keyof ServiceErrorParameters
  // Readonly and optional marks are not compared: those of the wire are mutable. So the names are compared by themselves: a parameter
  // that is optional could be missing here.
  type Fits = {
    [Name in Names]: WireParameters<Name> extends ServiceErrorParameters[Name]
      ? keyof WireParameters<Name> extends keyof ServiceErrorParameters[Name]
        ? true
        : Name
      : Name
  }[Names]
  expectTypeOf<Fits>().toEqualTypeOf<true>()
  expectTypeOf<Query>().toExtend<WireQuery>()
})
