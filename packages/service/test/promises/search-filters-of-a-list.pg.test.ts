// The filters of revision 1.0: the same language in a query string, with its own refusals.
import { forAllTests } from '@octavo/dev-database/vitest'
import { beforeAll, expect, it } from 'vitest'
import { answerOf } from '../support/answer-of.ts'
import { refusalOf } from '../support/error-answer.ts'
import { putItems } from '../support/load-items.ts'
import { serveOnFreshDatabase } from '../support/serve-on-fresh-database.ts'
import { contentOf } from '../support/walk-over-http.ts'
import { defineType, struct } from '../support/define-type.ts'
import { errorNamed } from '../support/named-errors.ts'

const definition = defineType(
  'thing',
  {
    id: 'integer',
    label: 'string searchable',
    size: 'double searchable sortable',
    on: 'boolean searchable',
    made: 'date searchable',
    tags: 'string[] searchable',
    parts: struct({ name: 'string' }, 'searchable'),
    'dotted.eq': 'string searchable',
    hidden: 'string',
  },
  { titleProperty: 'label' },
)

const things = [
  { id: 1, label: 'One', size: 1.5, on: true, made: '2021-05-01', tags: ['a', 'b'] },
  { id: 2, label: 'Two', size: 2.5, on: false, tags: ['b'], 'dotted.eq': 'x' },
  { id: 3, label: 'one', made: '2022-01-01', parts: { name: 'p' } },
  { id: 4, size: -1 },
]

const service = forAllTests(serveOnFreshDatabase)

beforeAll(async () => {
  const type = await service.store.applyObjectType(service.ontology, definition)
  await putItems(service.store, type, things)
})

const list = (parameters: string, objectType = 'thing') =>
  answerOf(service, `/api/v1/ontologies/${service.ontology.rid}/objects/${objectType}?${parameters}`)

interface Listed {
  readonly data: readonly { readonly properties: { readonly id: number } }[]
  readonly nextPageToken?: string
  readonly totalCount: string
  readonly totalCountIsLowerBound?: boolean
}

async function page(parameters: string, objectType?: string): Promise<Listed> {
  return contentOf<Listed>(list(parameters, objectType))
}

/** The keys in order, and the total, which is their number. */
async function find(parameters: string): Promise<readonly number[]> {
  const { data, totalCount, totalCountIsLowerBound } = await page(parameters)
  expect(totalCount).toBe(String(data.length))
  expect(totalCountIsLowerBound).toBeUndefined()
  return data.map((record) => record.properties.id).toSorted((a, b) => a - b)
}

const refused = async (parameters: string) => refusalOf(await list(parameters))

it('P62: a filter is properties.{property}.{operator}, p. for short', async () => {
  expect(await find('properties.label.eq=One')).toEqual([1])
  expect(await find('p.label.neq=One')).toEqual([2, 3])
  expect(await find('p.size.lt=1.5')).toEqual([4])
  expect(await find('p.size.lte=1.5')).toEqual([1, 4])
  expect(await find('p.size.gt=1.5')).toEqual([2])
  expect(await find('p.size.gte=1.5')).toEqual([1, 2])
  expect(await find('p.made.isNull=true')).toEqual([2, 4])
  expect(await find('p.tags.contains=b')).toEqual([1, 2])
  expect(await find('p.id.gte=3')).toEqual([3, 4])
  expect(await find('P.label.eq=One').catch((error: Error) => error.message)).toMatch(/UnknownParameter/)
})

it('P62: the operator follows the last dot, and what begins like a filter and is none is refused', async () => {
  expect(await find('p.dotted.eq.eq=x')).toEqual([2])
  for (const name of ['p.label', 'properties.label.like', 'p.', 'p..eq', 'properties.label.EQ']) {
    expect(await refused(`${name}=x`), name).toMatchObject(
      errorNamed('MalformedPropertyFilters', { malformedPropertyFilter: name }),
    )
  }
})

it('P63: several eq or contains need one, several neq all, different operators and properties all', async () => {
  expect(await find('p.label.eq=One&p.label.eq=Two&properties.label.eq=none')).toEqual([1, 2])
  expect(await find('p.tags.contains=a&p.tags.contains=b')).toEqual([1, 2])
  expect(await find('p.label.neq=One&p.label.neq=Two')).toEqual([3])
  expect(await find('p.size.gt=-1&p.size.lt=2')).toEqual([1])
  expect(await find('p.size.gt=-1&p.on.eq=false')).toEqual([2])
  expect(await find('p.label.eq=One&p.label.neq=One')).toEqual([])
})

it('P64: one value for ranges and isNull, and no combination that contradicts itself', async () => {
  expect(await refused('p.size.lt=1&p.size.lt=2')).toMatchObject(
    errorNamed('MultiplePropertyValuesNotSupported', { propertyFilter: 'lt', property: 'size' }),
  )
  expect((await refused('p.size.isNull=true&properties.size.isNull=true')).errorName).toBe(
    'MultiplePropertyValuesNotSupported',
  )
  expect(await refused('p.size.lt=1&p.size.lte=2')).toMatchObject(
    errorNamed('InvalidRangeQuery', { lt: '1', lte: '2', field: 'size' }),
  )
  expect((await refused('p.size.gt=1&p.size.gte=2')).errorName).toBe('InvalidRangeQuery')
  expect((await refused('p.size.isNull=true&p.size.gt=1')).errorName).toBe(
    'InvalidPropertyFiltersCombination',
  )
})

it('P65: a filter on a property that is not searchable, or with an operator or value that does not fit its type, is refused', async () => {
  expect(await refused('p.hidden.eq=x')).toMatchObject(
    errorNamed('PropertiesNotFilterable', { properties: ['hidden'], declaration: '"searchable": true' }),
  )
  for (const parameters of [
    'p.tags.eq=a',
    'p.label.contains=a',
    'p.parts.eq=p',
    'p.on.lt=true',
    'p.parts.isNull=true',
  ]) {
    expect((await refused(parameters)).errorName, parameters).toBe('PropertyFiltersNotSupported')
  }
  for (const parameters of [
    'p.size.gt=big',
    'p.id.eq=1.5',
    'p.made.lt=yesterday',
    'p.on.eq=1',
    'p.label.isNull=yes',
  ]) {
    expect((await refused(parameters)).errorName, parameters).toBe('InvalidPropertyFilterValue')
  }
  expect((await refused('p.nothing.eq=x')).errorName).toBe('PropertiesNotFound')
})

it('P66: neq holds only for objects that have a value', async () => {
  expect(await find('p.made.neq=1999-01-01')).toEqual([1, 3])
  expect(await find('p.made.isNull=false')).toEqual([1, 3])
})

it('P67: names of filters are matched without regard to case', async () => {
  expect(await find('p.LABEL.eq=One')).toEqual([1])
})

it('P69: the total of a filtered list is exact up to 10,000 and a bound beyond it, on every page', async () => {
  const type = await service.store.applyObjectType(service.ontology, { ...definition, apiName: 'crowd' })
  const crowd = Array.from({ length: 12_000 }, (_, id) => ({
    id,
    label: id < 10_000 ? 'in' : 'out',
    size: id % 2,
    tags: [id < 10_001 ? 'most' : 'rest'],
  }))
  await putItems(service.store, type, crowd)
  await service.store.database.run(`analyze ${type.tables.current}`)
  const exact = await page('p.label.eq=in&pageSize=10', 'crowd')
  expect([exact.totalCount, exact.totalCountIsLowerBound]).toEqual(['10000', undefined])
  // One more than the bound, with conditions that no index range covers.
  for (const parameters of [
    'p.tags.contains=most',
    'p.size.gte=0',
    'p.size.gte=0&p.tags.contains=most&snapshot=true',
  ]) {
    const first = await page(`${parameters}&pageSize=10`, 'crowd')
    expect([first.totalCount, first.totalCountIsLowerBound], parameters).toEqual(['10000', true])
    const next = await page(`${parameters}&pageSize=10&pageToken=${first.nextPageToken}`, 'crowd')
    expect([next.totalCount, next.totalCountIsLowerBound], parameters).toEqual(['10000', true])
  }
  const half = await page('p.size.eq=1&p.label.eq=in&pageSize=1&snapshot=true', 'crowd')
  expect([half.totalCount, half.totalCountIsLowerBound]).toEqual(['5000', undefined])
})
