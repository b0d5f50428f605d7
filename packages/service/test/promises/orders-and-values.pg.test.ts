// Every order of a type with every kind of value, over both revisions, compared with an order computed in JavaScript.
import { declaredOrders, expectedOrder, seededRandom } from '@octavo/model'
import {
  apiFamilyPattern,
  apiNamePattern,
  limits,
  ridPattern,
  type ObjectTypeDefinition,
} from '@octavo/protocol'
import { sample, type Arbitrary } from 'fast-check'
import { forAllTests } from '@octavo/dev-database/vitest'
import { beforeAll, describe, expect, it } from 'vitest'
import type { ObjectType } from '../../src/catalog/object-type.ts'
import { canonicaliseObject } from '../../src/write/commit/canonicalise-object.ts'
import type { OrderByKey } from '../../src/read/request/page-request.ts'
import { employeeDefinition } from '../support/employee.ts'
import { answerOf } from '../support/answer-of.ts'
import { refusalOf } from '../support/error-answer.ts'
import { collectionIn, collectionOf, putItems } from '../support/load-items.ts'
import { nastyKeys, nastyValues } from '../support/nasty-values.ts'
import { jsonBody, listing, revisions, searching, type Collection } from '../support/page-revisions.ts'
import { putObject } from '../support/put-object.ts'
import { serveOnFreshDatabase } from '../support/serve-on-fresh-database.ts'
import { askForPage, readPage, walkOverHttp } from '../support/walk-over-http.ts'
import { defineType } from '../support/define-type.ts'
import { errorWith } from '../support/named-errors.ts'

type Properties = Readonly<Record<string, unknown>>

const service = forAllTests(serveOnFreshDatabase)
const type = forAllTests(() => service.store.applyObjectType(service.ontology, employeeDefinition))
const collection = collectionIn(service, 'employee')

const scalars = Object.entries(employeeDefinition.properties)
  .filter(([, { type }]) => typeof type === 'string')
  .map(([name]) => name)

const objects = nastyEmployees(100)
beforeAll(() => putItems(service.store, type, objects))

/** Few values of each kind, so that most orders have ties; many properties without a value. */
function nastyEmployees(count: number): readonly Properties[] {
  const few = (values: Arbitrary<unknown>, seed: number) => sample(values, { seed, numRuns: 12 })
  const values = Object.fromEntries(
    Object.entries(employeeDefinition.properties).map(([name, { type }], i) => [
      name,
      typeof type === 'string' ? few(nastyValues[type], i + 1) : [],
    ]),
  )
  const keys = [...new Set(sample(nastyKeys.string, { seed: 99, numRuns: 3 * count }))].slice(0, count)
  const random = seededRandom(39)
  return keys.map((employeeId) => {
    const some = scalars
      .filter((name) => name !== 'employeeId' && (name === 'badge' || random.chance(0.8)))
      .map((name) => [name, values[name]?.[random.integer(0, 11)]])
    return {
      ...Object.fromEntries(some),
      employeeId,
      ...(random.chance(0.5) && { names: [{ firstName: 'Ada', lastName: 'Byron' }, { firstName: 'Ä😀"' }] }),
      ...(random.chance(0.5) && { tags: ['b', 'a', 'b', ''] }),
      ...(random.chance(0.5) && { address: { city: 'Graz', floor: -1 } }),
    }
  })
}

const asc = (property: string): OrderByKey => ({ property, direction: 'asc' })
const desc = (property: string): OrderByKey => ({ property, direction: 'desc' })

const sortable = scalars.filter((name) => name !== 'notes')
const orders: readonly (readonly OrderByKey[])[] = [
  [],
  ...sortable.flatMap((property) => [[asc(property)], [desc(property)]]),
  ...declaredOrders(employeeDefinition),
]

const seen = (properties: Properties, revision: { readonly name: string }): Properties =>
  revision.name === '1.0'
    ? Object.fromEntries(Object.entries(properties).filter(([name]) => scalars.includes(name)))
    : properties

describe.for(revisions)('in revision $name', (revision) => {
  it('P39, P40, P41, P42, P45, P46, P55: every order is total, with nulls last, and gives back what was written', async () => {
    const random = seededRandom(42)
    for (const orderBy of orders) {
      for (const snapshot of [false, true]) {
        const pageSize = snapshot ? () => random.integer(1, 40) : () => 1 + 6 * random.integer(0, 3)
        const given = orderBy.length === 0 ? undefined : orderBy
        const walk = await walkOverHttp(service, revision, collection, { snapshot, orderBy: given, pageSize })
        const expected = [...objects].sort(expectedOrder(employeeDefinition, orderBy))
        const name = orderBy.map(({ property, direction }) => `${property} ${direction}`).join()
        expect(
          walk.records.map(({ properties }) => properties),
          name,
        ).toEqual(expected.map((properties) => seen(properties, revision)))
        expect(JSON.stringify(walk.pages)).not.toMatch(/:null[,}]/)
      }
    }
  })

  it('P39: at page size 1 ties are neither lost nor repeated', async () => {
    for (const orderBy of [[desc('active')], [asc('age')], ...declaredOrders(employeeDefinition)]) {
      const walk = await walkOverHttp(service, revision, collection, { orderBy, pageSize: () => 1 })
      const expected = [...objects].sort(expectedOrder(employeeDefinition, orderBy))
      expect(walk.records.map(({ properties }) => properties['employeeId'])).toEqual(
        expected.map(({ employeeId }) => employeeId),
      )
    }
  })

  it('P43: any other order is refused with the declaration to add', async () => {
    const refused = async (orderBy: readonly OrderByKey[]) =>
      refusalOf(await askForPage(service, revision, collection, { orderBy }))
    expect(await refused([asc('notes')])).toMatchObject(
      errorWith(400, 'PropertiesNotSortable', {
        properties: ['notes'],
        declaration: expect.stringContaining('"sortable": true') as string,
      }),
    )
    // Nothing that could be declared would serve these.
    for (const property of [
      'names',
      'tags',
      'address',
      ...(revision === searching ? ['address:city'] : []),
    ]) {
      const { errorName, parameters } = await refused([asc(property)])
      expect({ errorName, properties: parameters['properties'] }).toEqual({
        errorName: 'PropertiesNotSortable',
        properties: [property],
      })
      expect(parameters).not.toHaveProperty('declaration')
    }
    const undeclared = [
      [asc('age'), asc('department')],
      [asc('department'), asc('age')],
      [asc('age'), asc('employeeId')],
    ]
    for (const orderBy of undeclared) {
      expect(await refused(orderBy)).toMatchObject(
        errorWith(400, 'PropertiesNotSortable', {
          declaration: expect.stringContaining('"orders"') as string,
        }),
      )
    }
  })

  it('P44: an order names at most 4 properties, each once', async () => {
    const five = ['fullName', 'department', 'age', 'salary', 'badge'].map(asc)
    const answer = await askForPage(service, revision, collection, { orderBy: five })
    expect(refusalOf(answer)).toEqual(errorWith(400, 'QueryTooLarge', { limit: 'orderKeys', maximum: 4 }))
    const twice = await askForPage(service, revision, collection, { orderBy: [asc('age'), desc('age')] })
    expect(refusalOf(twice)).toEqual(errorWith(400, 'DuplicateOrderBy', { properties: ['age'] }))
  })
})

describe('values', () => {
  const definition: ObjectTypeDefinition = { ...employeeDefinition, apiName: 'valued', orders: [] }
  let valued: ObjectType
  let at: Collection
  beforeAll(async () => {
    valued = await service.store.applyObjectType(service.ontology, definition)
    at = collectionOf(service.ontology, valued)
  })
  const written = async (
    properties: Properties,
  ): Promise<{ readonly text: string; readonly back: Properties }> => {
    const object = { employeeId: 'one', badge: '0', ...properties }
    await service.store.commit({ parts: [{ type: valued, changes: [putObject(valued, object)] }] })
    const { text } = await askForPage(service, searching, at)
    const { data } = JSON.parse(text) as { data: [{ properties: Properties }] }
    const listed = await readPage(service, listing, at)
    for (const [name, value] of Object.entries(listed.data[0]?.properties ?? {})) {
      expect(value).toEqual(data[0].properties[name])
    }
    return { text, back: data[0].properties }
  }
  const refusedToWrite = (properties: Properties) => {
    const made = canonicaliseObject(valued, { employeeId: 'one', badge: '0', ...properties })
    return 'problems' in made ? made.problems.map(({ property }) => property) : []
  }

  it('P46: a property without a value is left out, also one that was written as null', async () => {
    const { back } = await written({ age: null, fullName: 'x' })
    expect(Object.keys(back).toSorted()).toEqual(['badge', 'employeeId', 'fullName'])
  })

  it('P46, P55: an empty array is a value, and comes back', async () => {
    const { back } = await written({ tags: [], names: [] })
    expect(back).toMatchObject({ tags: [], names: [] })
  })

  it('P47: strings hold any text but U+0000 and unpaired surrogates', async () => {
    for (const notes of ['', '\u0001\u001f"\\/\b\n\u2028', '😀\u{10ffff}', 'e\u0301', '\ufeff']) {
      expect((await written({ notes })).back['notes']).toBe(notes)
    }
    for (const notes of ['a\u0000b', '\ud800', 'x\udc00y'])
      expect(refusedToWrite({ notes })).toEqual(['notes'])
  })

  it('P48: booleans, integers and finite doubles are JSON values that read back equal', async () => {
    for (const rating of [
      0.1, 5e-324, 1.7976931348623157e308, 0.30000000000000004, -1e-7, 123456789012345680,
    ]) {
      const { back, text } = await written({ rating, active: false, age: -2147483648 })
      expect(back).toMatchObject({ rating, active: false, age: -2147483648 })
      expect(text).toContain('"active":false')
    }
    expect(refusedToWrite({ age: 2147483648 })).toEqual(['age'])
    expect(refusedToWrite({ rating: Number.POSITIVE_INFINITY })).toEqual(['rating'])
  })

  it('P49, P50: longs and decimals are strings of all their digits', async () => {
    const { text } = await written({ badge: '9223372036854775807', salary: '12.50' })
    expect(text).toContain('"badge":"9223372036854775807"')
    expect(text).toContain('"salary":"12.50"')
    const most = '98765432109876543210987654321098765432'
    expect((await written({ salary: most })).back['salary']).toBe(most)
    expect(refusedToWrite({ salary: `${most}1` })).toEqual(['salary'])
  })

  it('P51, P52, P54: dates and timestamps in UTC with up to six decimals; other offsets are converted', async () => {
    const { back } = await written({ birthday: '0001-01-01', hiredAt: '2021-05-01T11:30:00.250000+02:00' })
    expect(back).toMatchObject({ birthday: '0001-01-01', hiredAt: '2021-05-01T09:30:00.25Z' })
    expect((await written({ hiredAt: '9999-12-31T23:59:59.999999Z' })).back['hiredAt']).toBe(
      '9999-12-31T23:59:59.999999Z',
    )
    expect((await written({ hiredAt: '2021-05-01T09:30:00Z' })).back['hiredAt']).toBe('2021-05-01T09:30:00Z')
    expect(refusedToWrite({ hiredAt: '2021-05-01T09:30:00.1234567Z' })).toEqual(['hiredAt'])
    expect((await written({ badge: 9007199254740991 })).back['badge']).toBe('9007199254740991')
    expect(refusedToWrite({ badge: 9007199254740992 })).toEqual(['badge'])
  })

  it('P53, P79: structs and arrays keep their order and leave out what has no value', async () => {
    const names = [{ firstName: 'Ada', lastName: 'Byron' }, { lastName: 'King' }]
    const { back, text } = await written({ names, tags: ['b', 'a', 'b'], address: { floor: 3 } })
    expect(back).toMatchObject({ names, tags: ['b', 'a', 'b'], address: { floor: 3 } })
    expect(text).toContain('"names":[{"firstName":"Ada","lastName":"Byron"},{"lastName":"King"}]')
    expect(refusedToWrite({ tags: ['a', null] })).toEqual(['tags'])
  })

  it('P112: a primary key of more than 1,024 bytes and a sortable string of more than 1,000 are refused when written', () => {
    expect(refusedToWrite({ employeeId: 'k'.repeat(1_024) })).toEqual([])
    expect(refusedToWrite({ employeeId: 'k'.repeat(1_025) })).toEqual(['employeeId'])
    expect(refusedToWrite({ employeeId: '😀'.repeat(257) })).toEqual(['employeeId'])
    expect(refusedToWrite({ fullName: 'n'.repeat(1_000) })).toEqual([])
    expect(refusedToWrite({ fullName: 'é'.repeat(501) })).toEqual(['fullName'])
    expect(refusedToWrite({ notes: 'n'.repeat(100_000) })).toEqual([])
  })

  it('P10: the longest keys of an order make a token that is still short enough', async () => {
    const longest = await service.store.applyObjectType(
      service.ontology,
      defineType('longest', { id: 'string', text: 'string sortable' }),
    )
    const ids = ['a', 'b', 'c'].map((end) => 'k'.repeat(1_023) + end)
    await putItems(
      service.store,
      longest,
      ids.map((id) => ({ id, text: 't'.repeat(1_000) })),
    )
    for (const revision of revisions) {
      const orderBy = [asc('text')]
      const walk = await walkOverHttp(service, revision, collectionOf(service.ontology, longest), {
        orderBy,
        pageSize: () => 1,
      })
      expect(walk.records.map(({ properties }) => properties['id'])).toEqual(ids)
      expect(walk.pages[0]?.nextPageToken?.length).toBeLessThan(8_192)
    }
  })
})

describe('names and identifiers', () => {
  it('P56: names may hold dots, - and _; other names are refused, and so are two that differ in case alone', async () => {
    const apiName = 'com.example.object-type.Person_1'
    const dotted = defineType(
      apiName,
      { 'person.id': 'integer', 'last-name_2': 'string sortable' },
      { displayName: 'Person' },
    )
    const person = await service.store.applyObjectType(service.ontology, dotted)
    await putItems(
      service.store,
      person,
      [3, 1, 2].map((number) => ({ 'person.id': number, 'last-name_2': `L${-number}` })),
    )
    const orderBy = [asc('last-name_2')]
    for (const revision of revisions) {
      const walk = await walkOverHttp(service, revision, collectionOf(service.ontology, person), {
        orderBy,
        pageSize: () => 1,
      })
      expect(walk.records.map(({ properties }) => properties['person.id'])).toEqual([1, 2, 3])
    }
    const longest = `a${'b'.repeat(254)}`
    for (const name of ['a', 'A.b-c_d.e1', longest]) expect(name).toMatch(new RegExp(apiNamePattern))
    for (const name of ['', '1a', '.a', 'a.', 'a..b', '_a', 'a b', 'ä', `${longest}b`]) {
      expect(name.length <= 255 && new RegExp(apiNamePattern).test(name)).toBe(false)
    }
    const clash = {
      ...dotted,
      apiName: 'clash',
      properties: { ...dotted.properties, 'PERSON.ID': { type: 'string' } },
    } as const
    await expect(service.store.applyObjectType(service.ontology, clash)).rejects.toThrow()
  })

  it('P433: with the longest names and keys, opaque texts have the room that readers make for them', async () => {
    const named = `a${'b'.repeat(254)}`
    const type = await service.store.applyObjectType(
      service.ontology,
      defineType(named, { [named]: 'string' }, { displayName: 'Long' }),
    )
    const keys = ['x', 'y'].map((letter) => letter.repeat(limits.value.primaryKeyBytes))
    await putItems(
      service.store,
      type,
      keys.map((key) => ({ [named]: key })),
    )
    const root = `/api/v1/ontologies/${service.ontology.rid}`
    const shown = JSON.parse((await answerOf(service, `${root}/objectTypes/${named}`)).text) as {
      rid: string
    }
    expect(shown.rid.length).toBeLessThanOrEqual(255)
    const page = await readPage(service, listing, collectionOf(service.ontology, type), {
      pageSize: 1,
      snapshot: true,
    })
    expect(page.nextPageToken?.length).toBeLessThanOrEqual(limits.pageToken.characters)
    expect(String(page.data[0]?.['rid']).length).toBeLessThanOrEqual(255 + 2 * limits.value.primaryKeyBytes)
  })

  it('P57: ontologies, object types and objects have a rid that stays the same', async () => {
    const read = async (path: string) => JSON.parse((await answerOf(service, path)).text) as { rid: string }
    const root = `/api/v1/ontologies/${service.ontology.rid}`
    const paths = [root, `${root}/objectTypes/employee`]
    const first = await Promise.all(paths.map(read))
    const objectsOf = async () => (await readPage(service, listing, collection, { pageSize: 1_000 })).data
    const before = await objectsOf()
    const rids = [...first.map(({ rid }) => rid), ...before.map(({ rid }) => String(rid))]
    for (const rid of rids) expect(rid).toMatch(new RegExp(ridPattern))
    expect(new Set(rids).size).toBe(rids.length)
    // No change of a resource changes its rid: texts, values, the definition.
    await service.store.applyOntology({
      apiName: 'promised',
      displayName: 'Other',
      apiFamilies: ['promised'],
    })
    await service.store.applyObjectType(service.ontology, { ...employeeDefinition, displayName: 'Other' })
    const fresh = await service.store.catalog.objectTypes(service.ontology)
    const employee = fresh.find(({ apiName }) => apiName === 'employee')
    if (employee === undefined) throw new Error('no type')
    await putItems(
      service.store,
      employee,
      objects.map((object) => ({ ...object, notes: 'changed' })),
    )
    const after = await Promise.all(paths.map(read))
    expect(after.map(({ rid }) => rid)).toEqual(first.map(({ rid }) => rid))
    const keyed = (records: readonly { readonly rid?: unknown; readonly properties: Properties }[]) =>
      new Map(records.map(({ rid, properties }) => [properties['employeeId'], rid]))
    expect(keyed(await objectsOf())).toEqual(keyed(before))
  })

  it('P75: an API family has lower-case letters, digits and -, and is not v with digits', async () => {
    for (const family of ['gotham', 'a-1', 'v', 'v1a']) expect(family).toMatch(new RegExp(apiFamilyPattern))
    for (const family of ['Gotham', '1a', '-a', 'v1', 'v22', 'a.b', '']) {
      expect(family).not.toMatch(new RegExp(apiFamilyPattern))
    }
    const path = (family: string) => `/api/${family}/v1/objects/types/employee/search`
    const body = jsonBody({ query: { type: 'empty' } })
    expect((await answerOf(service, path('promised'), body)).status).toBe(200)
    expect(refusalOf(await answerOf(service, path('v1'), body))).toMatchObject({
      errorName: 'ApiFamilyNotFound',
    })
  })
})
