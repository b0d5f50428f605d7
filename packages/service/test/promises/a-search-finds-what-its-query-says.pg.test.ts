// The query language, clause by clause, over HTTP. every-query-equals-a-plain-search.generated.pg.test.ts tests it with random
// queries.
import type { Query } from '@octavo/protocol'
import { forAllTests } from '@octavo/dev-database/vitest'
import { beforeAll, describe, expect, it } from 'vitest'
import { answerOf } from '../support/answer-of.ts'
import { refusalOf } from '../support/error-answer.ts'
import { putItems } from '../support/load-items.ts'
import { jsonBody } from '../support/page-revisions.ts'
import { serveOnFreshDatabase } from '../support/serve-on-fresh-database.ts'
import { contentOf, type WirePage } from '../support/walk-over-http.ts'
import { defineType, struct, structs } from '../support/define-type.ts'
import { errorNamed, errorWith } from '../support/named-errors.ts'

const definition = defineType(
  'person',
  {
    id: 'string',
    name: 'string searchable sortable',
    about: 'string searchable',
    age: 'integer searchable sortable',
    pay: 'decimal searchable',
    active: 'boolean searchable',
    tags: 'string[] searchable',
    scores: 'integer[] searchable',
    home: struct({ city: 'string', floor: 'integer' }, 'searchable'),
    names: structs({ first: 'string', last: 'string' }, 'searchable'),
    secret: 'string',
    'properties.age': 'integer searchable',
  },
  { titleProperty: 'name' },
)

const long = 'x'.repeat(300)

const people = [
  {
    id: 'a',
    name: 'Ada Byron',
    about: "Wrote the first program (1843); loved O'Neil's engine",
    age: 36,
    pay: '10.50',
    active: true,
    tags: ['maths', 'Poetry'],
    scores: [1, 9],
    home: { city: 'London', floor: 2 },
    names: [
      { first: 'Ada', last: 'Byron' },
      { first: 'Augusta', last: 'King' },
    ],
  },
  {
    id: 'b',
    name: 'ada byron',
    about: 'first of the programs',
    age: 36,
    pay: '10.5',
    active: false,
    tags: [],
  },
  {
    id: 'c',
    name: 'Alan Turing',
    about: `${long}a`,
    age: 41,
    tags: ['maths'],
    scores: [5],
    home: { floor: 2 },
  },
  { id: 'd', name: 'Grace', about: `${long}b`, pay: '99', names: [{ first: 'Grace' }], 'properties.age': 7 },
  { id: 'e', name: 'Émile 😀' },
] as const

const service = forAllTests(serveOnFreshDatabase)

beforeAll(async () => {
  const type = await service.store.applyObjectType(service.ontology, definition)
  await putItems(service.store, type, people)
})

const ask = (body: object) =>
  answerOf(service, '/api/promised/v1/objects/types/person/search', jsonBody(body))

/** The keys that the query finds, in key order, read page by page. */
async function find(query: Query): Promise<string> {
  return (await contentOf<WirePage>(ask({ query, orderBy: { fields: [{ field: 'id' }] } }))).data
    .map((record) => String(record['primaryKey']))
    .join('')
}

const refused = async (query: unknown) => refusalOf(await ask({ query }))

describe('comparisons', () => {
  it('P86: eq and the ranges compare exactly, upper and lower case apart', async () => {
    expect(await find({ type: 'eq', field: 'name', value: 'Ada Byron' })).toBe('a')
    expect(await find({ type: 'eq', field: 'name', value: 'ADA BYRON' })).toBe('')
    expect(await find({ type: 'eq', field: 'pay', value: '10.500' })).toBe('ab')
    expect(await find({ type: 'eq', field: 'pay', value: 10.5 })).toBe('ab')
    expect(await find({ type: 'in', field: 'pay', value: [99, 0] })).toBe('d')
    for (const value of [0.1234567890123456, 1e21]) {
      expect(await refused({ type: 'eq', field: 'pay', value })).toMatchObject(
        errorNamed('InvalidPropertyValue', { problem: expect.stringContaining('a string such as') }),
      )
    }
    expect(await find({ type: 'eq', field: 'active', value: false })).toBe('b')
    expect(await find({ type: 'lt', field: 'age', value: 41 })).toBe('ab')
    expect(await find({ type: 'lte', field: 'age', value: 41 })).toBe('abc')
    expect(await find({ type: 'gt', field: 'age', value: 36 })).toBe('c')
    expect(await find({ type: 'gte', field: 'age', value: 36 })).toBe('abc')
    expect(await find({ type: 'gt', field: 'name', value: 'Z' })).toBe('be')
    expect(await find({ type: 'gte', field: 'id', value: 'd' })).toBe('de')
  })

  it('P86: strings longer than what an index keeps of them are compared whole', async () => {
    expect(await find({ type: 'eq', field: 'about', value: `${long}a` })).toBe('c')
    expect(await find({ type: 'gt', field: 'about', value: `${long}a` })).toBe('d')
    expect(await find({ type: 'lt', field: 'about', value: `${long}b` })).toBe('abc')
    expect(await find({ type: 'in', field: 'about', value: [`${long}b`, long] })).toBe('d')
  })

  it('P87: in holds if any value of the list is equal, and an empty list matches nothing', async () => {
    expect(await find({ type: 'in', field: 'age', value: [41, 36, 41, 1] })).toBe('abc')
    expect(await find({ type: 'in', field: 'tags', value: ['Poetry', 'none'] })).toBe('a')
    expect(await find({ type: 'in', field: 'age', value: [] })).toBe('')
    expect(await find({ type: 'not', value: { type: 'in', field: 'age', value: [] } })).toBe('abcde')
  })

  it('P87, P39: the values of a list come in the direction of the order', async () => {
    const query = { type: 'in', field: 'age', value: [36, 41] }
    for (const [direction, expected] of [
      ['asc', 'abc'],
      ['desc', 'cba'],
    ]) {
      let pageToken: string | undefined
      let got = ''
      do {
        const orderBy = { fields: [{ field: 'age', direction }] }
        const { text } = await ask({
          query,
          orderBy,
          pageSize: 1,
          ...(pageToken !== undefined && { pageToken }),
        })
        const page = JSON.parse(text) as WirePage
        got += page.data.map((record) => String(record['primaryKey'])).join('')
        pageToken = page.nextPageToken
      } while (pageToken !== undefined)
      expect(got).toBe(expected)
    }
  })

  it('P88: isNull matches objects without a value and with an empty array, or all others', async () => {
    expect(await find({ type: 'isNull', field: 'age', value: true })).toBe('de')
    expect(await find({ type: 'isNull', field: 'age', value: false })).toBe('abc')
    expect(await find({ type: 'isNull', field: 'about', value: true })).toBe('e')
    expect(await find({ type: 'isNull', field: 'about', value: false })).toBe('abcd')
    expect(await find({ type: 'isNull', field: 'tags', value: true })).toBe('bde')
    expect(await find({ type: 'isNull', field: 'names:last', value: true })).toBe('bcde')
  })

  it('P89: contains is for arrays', async () => {
    expect(await find({ type: 'contains', field: 'tags', value: 'maths' })).toBe('ac')
    expect(await find({ type: 'contains', field: 'tags', value: 'Maths' })).toBe('')
    expect(await find({ type: 'contains', field: 'names:first', value: 'Grace' })).toBe('d')
    expect(await refused({ type: 'contains', field: 'name', value: 'Ada' })).toMatchObject(
      errorNamed('PropertyTypesSearchNotSupported', {
        queryType: 'contains',
        property: 'name',
        propertyBaseType: 'String',
        supported: expect.arrayContaining(['eq', 'prefix', 'allTerms']),
      }),
    )
  })
})

describe('terms', () => {
  it('P91: anyTerm needs one of the terms, allTerms all of them, and no terms match nothing', async () => {
    expect(await find({ type: 'anyTerm', field: 'about', value: 'PROGRAM nothing' })).toBe('a')
    expect(await find({ type: 'allTerms', field: 'about', value: 'engine, First' })).toBe('a')
    expect(await find({ type: 'allTerms', field: 'about', value: 'engine second' })).toBe('')
    expect(await find({ type: 'anyTerm', field: 'about', value: ' ?! ' })).toBe('')
    expect(await find({ type: 'allTerms', field: 'about', value: '' })).toBe('')
  })

  it('P91: the terms of an array are those of all its values', async () => {
    expect(await find({ type: 'allTerms', field: 'names:first', value: 'augusta ada' })).toBe('a')
  })

  it('P92: phrase needs its terms side by side and in order, within one value', async () => {
    expect(await find({ type: 'phrase', field: 'about', value: 'First PROGRAM 1843' })).toBe('a')
    expect(await find({ type: 'phrase', field: 'about', value: 'program first' })).toBe('')
    expect(await find({ type: 'phrase', field: 'about', value: 'first 1843' })).toBe('')
    expect(await find({ type: 'phrase', field: 'names:first', value: 'ada augusta' })).toBe('')
    expect(await find({ type: 'phrase', field: 'about', value: "o'neil" })).toBe('a')
  })

  it('P92: the last term of prefix needs only to begin the term it meets', async () => {
    expect(await find({ type: 'prefix', field: 'about', value: 'prog' })).toBe('ab')
    expect(await find({ type: 'prefix', field: 'about', value: 'the prog' })).toBe('b')
    expect(await find({ type: 'prefix', field: 'about', value: 'th prog' })).toBe('')
    expect(await find({ type: 'prefix', field: 'name', value: '😀' })).toBe('e')
    expect(await find({ type: 'prefix', field: 'name', value: 'Éмile'.slice(0, 1) })).toBe('e')
  })

  it('P93: keyword needs each of its terms in any searchable string, arrays and components included', async () => {
    expect(await find({ type: 'keyword', query: 'london Poetry 1843 augusta' })).toBe('a')
    expect(await find({ type: 'keyword', query: 'grace' })).toBe('d')
    expect(await find({ type: 'keyword', query: 'grace nothing' })).toBe('')
    expect(await find({ type: 'keyword', query: ' - ' })).toBe('')
  })

  it('P93: keyword takes as many terms as its text has room for', async () => {
    const all =
      'ada byron wrote the first program 1843 loved o neil s engine london maths poetry augusta king'
    expect(await find({ type: 'keyword', query: all })).toBe('a')
    expect(await find({ type: 'keyword', query: `${all} nothing` })).toBe('')
    const many = Array.from({ length: 340 }, (_, i) => String.fromCodePoint(0x460 + i)).join(' ')
    expect(await find({ type: 'keyword', query: many })).toBe('')
    expect(await find({ type: 'not', value: { type: 'keyword', query: many } })).toBe('abcde')
  })

  it('terms with signs of a query language of their own are terms like any other', async () => {
    for (const value of ["a' | 'b", 'a:*', '\\', '!a', 'a & b', '<->', '$1']) {
      expect(await find({ type: 'anyTerm', field: 'about', value })).toBe('')
    }
  })
})

describe('junctions', () => {
  const old = { type: 'gte', field: 'age', value: 41 } as const
  const maths = { type: 'contains', field: 'tags', value: 'maths' } as const

  it('P94: and needs all, or needs one; of none they match everything and nothing', async () => {
    expect(await find({ type: 'and', value: [old, maths] })).toBe('c')
    expect(await find({ type: 'or', value: [old, maths] })).toBe('ac')
    expect(await find({ type: 'and', value: [] })).toBe('abcde')
    expect(await find({ type: 'or', value: [] })).toBe('')
  })

  it('P95: not matches exactly what its query does not, also objects without a value', async () => {
    expect(await find({ type: 'not', value: old })).toBe('abde')
    expect(await find({ type: 'not', value: maths })).toBe('bde')
    expect(await find({ type: 'not', value: { type: 'and', value: [old, maths] } })).toBe('abde')
    expect(await find({ type: 'not', value: { type: 'phrase', field: 'about', value: 'first' } })).toBe('cde')
  })

  it('P96: on a many-valued property two conditions may be met by two values', async () => {
    const both: Query = {
      type: 'and',
      value: [
        { type: 'lt', field: 'scores', value: 2 },
        { type: 'gt', field: 'scores', value: 8 },
      ],
    }
    expect(await find(both)).toBe('a')
    expect(await find({ type: 'gte', field: 'scores', value: 5 })).toBe('ac')
  })
})

describe('fields', () => {
  it('P97: a field is a property, with or without its prefix, or a component', async () => {
    expect(await find({ type: 'eq', field: 'properties.name', value: 'Grace' })).toBe('d')
    // Declared under exactly this name.
    expect(await find({ type: 'eq', field: 'properties.age', value: 7 })).toBe('d')
    expect(await find({ type: 'eq', field: 'home:city', value: 'London' })).toBe('a')
    expect(await find({ type: 'eq', field: 'properties.home:floor', value: 2 })).toBe('ac')
    for (const field of ['home', 'name:first', 'a b', '', ':', 'names:', "name'"]) {
      expect((await refused({ type: 'eq', field, value: 'x' })).errorName, field).toBe('InvalidFields')
    }
    expect(await refused({ type: 'eq', field: 'nothing', value: 'x' })).toMatchObject(
      errorNamed('PropertiesNotFound', { properties: ['nothing'] }),
    )
    expect((await refused({ type: 'eq', field: 'home', value: 'x' })).parameters).toMatchObject({
      known: ['home:city', 'home:floor'],
    })
    expect(await refused({ type: 'eq', field: 'home:ctiy', value: 'x' })).toMatchObject(
      errorNamed('PropertiesNotFound', { properties: ['home:ctiy'], didYouMean: ['home:city'] }),
    )
  })

  it('P98: a property that is not searchable is refused with the declaration to add; the key always is', async () => {
    expect(await refused({ type: 'not', value: { type: 'eq', field: 'secret', value: 'x' } })).toEqual(
      errorWith(400, 'PropertiesNotSearchable', {
        propertyApiNames: ['secret'],
        declaration: '"searchable": true',
        searchable: expect.arrayContaining(['id', 'name', 'properties.age']),
      }),
    )
    expect(await find({ type: 'in', field: 'id', value: ['b', 'a', 'z'] })).toBe('ab')
    expect((await refused({ type: 'prefix', field: 'id', value: 'a' })).errorName).toBe(
      'PropertiesNotSearchable',
    )
  })

  it('P99: a query type or a value that does not fit the property is refused', async () => {
    expect((await refused({ type: 'prefix', field: 'age', value: '3' })).errorName).toBe(
      'PropertyTypesSearchNotSupported',
    )
    expect((await refused({ type: 'lt', field: 'active', value: true })).errorName).toBe(
      'PropertyTypesSearchNotSupported',
    )
    for (const [field, value] of [
      ['age', '36'],
      ['age', 1.5],
      ['pay', 'much'],
      ['name', 5],
      ['home:floor', 'two'],
      ['name', 'a\0b'],
      ['name', '\ud83d'],
    ] as const) {
      expect((await refused({ type: 'eq', field, value })).errorName, `${field} ${value}`).toBe(
        'InvalidPropertyValue',
      )
    }
    for (const value of ['a\0b', '\ud83d']) {
      expect((await refused({ type: 'phrase', field: 'name', value })).errorName).toBe('InvalidPropertyValue')
      expect(await find({ type: 'keyword', query: value })).toBe('')
    }
  })
})

it('P112: the values of a searchable array are refused when their terms would not fit into one entry', async () => {
  const type = await service.store.applyObjectType(service.ontology, definition)
  const tags = Array.from({ length: 300 }, (_, i) => `${i}`.padEnd(1_000, 'x'))
  await expect(putItems(service.store, type, [{ id: 'huge', tags }])).rejects.toThrow(
    /262144 bytes of UTF-8 together/,
  )
})
