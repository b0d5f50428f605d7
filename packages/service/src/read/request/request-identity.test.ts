import { expect, it } from 'vitest'
import { employeeDefinition } from '../../../test/support/employee.ts'
import { unsavedType } from '../../../test/support/unsaved-type.ts'
import { parseListRequest } from './parse-list-request.ts'
import { parseSearchRequest } from './parse-search-request.ts'
import { requestIdentity } from './request-identity.ts'
import { resolveNames } from './resolve-names.ts'

const searchable = { type: 'string', searchable: true } as const
const type = unsavedType({
  ...employeeDefinition,
  properties: {
    ...employeeDefinition.properties,
    rank: { type: 'integer', searchable: true },
    office: searchable,
  },
})
const target = { ontologyRid: 'ri.x', objectType: type.apiName }

/** The identity of a request with these parameters, in their order; a repeated name has a list of values. */
const listed = (...parameters: readonly (readonly [string, string | string[]])[]) =>
  requestIdentity(resolveNames(parseListRequest(Object.fromEntries(parameters)), type), target)
const searched = (body: object) =>
  requestIdentity(resolveNames(parseSearchRequest({ query: { type: 'empty' }, ...body }), type), target)

it('P26: the order of filters, of their values, and of their operators makes no difference', () => {
  const one = listed(['p.rank.gte', '3'], ['p.office.eq', ['a', 'b']], ['p.rank.lt', '9'])
  expect(listed(['p.office.eq', ['b', 'a']], ['p.rank.lt', '9'], ['p.rank.gte', '3'])).toEqual(one)
  expect(listed(['p.rank.lt', '9'], ['p.rank.gte', '3'], ['p.office.eq', ['a', 'b']])).toEqual(one)
  expect(listed(['p.office.eq', ['a', 'b']], ['p.rank.lt', '8'], ['p.rank.gte', '3'])).not.toEqual(one)
})

it('P26, P67: neither does how the names of their properties are written', () => {
  const one = listed(['p.rank.eq', '3'], ['p.office.neq', ['a', 'b']])
  expect(listed(['properties.office.neq', 'b'], ['p.OFFICE.neq', 'a'], ['properties.Rank.eq', '3'])).toEqual(
    one,
  )
})

it('P26: the order of select and properties, and a name that is repeated there, make no difference', () => {
  expect(listed(['properties', 'rank,office'])).toEqual(listed(['properties', ['Office', 'rank', 'office']]))
  expect(listed(['properties', 'rank'])).not.toEqual(listed(['properties', 'rank,office']))
  expect(searched({ select: ['rank', 'office'] })).toEqual(searched({ select: ['office', 'rank', 'rank'] }))
  expect(searched({ select: [] })).not.toEqual(searched({}))
})

it('P26: neither does `properties.` before the name of a property', () => {
  const asked = (field: string) =>
    searched({
      query: { type: 'not', value: { type: 'and', value: [{ type: 'eq', field, value: 3 }] } },
      orderBy: { fields: [{ field }] },
      select: [field],
    })
  expect(asked('properties.rank')).toEqual(asked('rank'))
  expect(asked('office')).not.toEqual(asked('rank'))
})

it('P26: neither does the order of JSON fields', () => {
  const one = { query: { type: 'in', field: 'office', value: ['a'] }, select: ['rank'] }
  const turned = { select: ['rank'], query: { value: ['a'], field: 'office', type: 'in' } }
  expect(searched(turned)).toEqual(searched(one))
})

it('P26: the order of the items of other lists does', () => {
  const within = (value: readonly string[]) => searched({ query: { type: 'in', field: 'office', value } })
  expect(within(['a', 'b'])).not.toEqual(within(['b', 'a']))
  const ordered = (...fields: readonly string[]) =>
    searched({ orderBy: { fields: fields.map((field) => ({ field })) } })
  expect(ordered('rank', 'office')).not.toEqual(ordered('office', 'rank'))
})
