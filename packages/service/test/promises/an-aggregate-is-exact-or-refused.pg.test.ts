import type { Snapshot } from '@octavo/protocol'
import { forAllTests } from '@octavo/dev-database/vitest'
import { expect, it } from 'vitest'
import { answerOf } from '../support/answer-of.ts'
import { employeeDefinition } from '../support/employee.ts'
import { putItems } from '../support/load-items.ts'
import { jsonBody } from '../support/page-revisions.ts'
import { serveAggregates, type AggregatedService } from '../support/serve-aggregates.ts'
import { errorNamed } from '../support/named-errors.ts'

const budget = 50

const service = forAllTests(() => serveAggregates(budget))

const { aggregate, refusal, countsBy }: Pick<AggregatedService, 'aggregate' | 'refusal' | 'countsBy'> = {
  aggregate: (...asked) => service.aggregate(...asked),
  refusal: (...asked) => service.refusal(...asked),
  countsBy: (...asked) => service.countsBy(...asked),
}

/** The values of the metrics, without a grouping. */
const valuesOf = async (aggregation: readonly object[], rest: object = {}) => {
  const { data } = await aggregate({ aggregation, ...rest })
  expect(data).toHaveLength(1)
  return data[0]?.metrics.map(({ value }) => value)
}

const employeeType = async () => {
  const type = await service.store.catalog.objectType(service.ontology, 'employee')
  if (type === undefined) throw new Error('no employees')
  return type
}

const count = { type: 'count' }

it('P300: both revisions answer the same body with the same numbers', async () => {
  const body = jsonBody({
    query: { type: 'gte', field: 'age', value: 31 },
    aggregation: [count],
    groupBy: [],
  })
  const paths = [
    `/api/v1/ontologies/${service.ontology.rid}/objects/employee/aggregate`,
    '/api/promised/v1/objects/types/employee/aggregate',
  ]
  for (const path of paths) {
    const { status, text } = await answerOf(service, path, body)
    expect(status).toBe(200)
    expect(JSON.parse(text)).toEqual({
      data: [{ group: {}, metrics: [{ name: 'count', value: 2 }] }],
      version: expect.stringMatching(/^\d+$/) as string,
    })
  }
  expect(await refusal({ aggregation: [count], orderBy: {} })).toMatchObject(
    errorNamed('UnknownParameter', {
      expectedParameters: expect.arrayContaining(['query', 'snapshotToken', 'aggregation', 'groupBy']) as [],
    }),
  )
  expect(await refusal({ aggregation: [{ type: 'median', field: 'age' }] })).toMatchObject(
    errorNamed('Conjure:UnprocessableEntity', { path: '/aggregation/0/type' }),
  )
})

it('P301: a metric has the name that it is given, or that of its field and type, and no two have the same', async () => {
  const { data } = await aggregate({
    aggregation: [count, { type: 'max', field: 'age' }, { type: 'min', field: 'age', name: 'youngest' }],
  })
  expect(data[0]?.metrics).toEqual([
    { name: 'count', value: 7 },
    { name: 'age.max', value: 41 },
    { name: 'youngest', value: -5 },
  ])
  expect(await refusal({ aggregation: [count, count] })).toMatchObject(
    errorNamed('Conjure:UnprocessableEntity', { path: '/aggregation/1/name' }),
  )
})

it('P302: values have the JSON type that they have in pages, in their shortest form', async () => {
  const ends = [
    'age',
    'badge',
    'salary',
    'rating',
    'hiredAt',
    'birthday',
    'department',
    'employeeId',
  ].flatMap((field) => [
    { type: 'min', field },
    { type: 'max', field },
  ])
  const values = [...((await valuesOf(ends.slice(0, 10))) ?? []), ...((await valuesOf(ends.slice(10))) ?? [])]
  expect(values).toEqual([
    -5,
    41,
    '-2',
    '9007199254740993',
    '-3.25',
    '10.5',
    0,
    1e300,
    '2024-02-29T23:59:59.5Z',
    '2024-03-04T00:00:00Z',
    '1999-12-31',
    '2001-01-01',
    'Art',
    'Zoo',
    'e1',
    'e7',
  ])
  const { data } = await aggregate({
    query: { type: 'eq', field: 'employeeId', value: 'e1' },
    aggregation: [{ type: 'min', field: 'salary' }],
  })
  expect(data[0]?.metrics[0]?.value).toBe('10.5')
})

it('P303: sums and averages are exact, and rounded once', async () => {
  const sums = ['age', 'badge', 'salary'].map((field) => ({ type: 'sum', field }))
  expect(await valuesOf(sums)).toEqual([101, '18014398509481988', '17.75'])
  const tenths = { query: { type: 'in', field: 'employeeId', value: ['e1', 'e2'] } }
  expect(await valuesOf([{ type: 'sum', field: 'rating' }], tenths)).toEqual([0.3])
  const averages = ['age', 'badge', 'salary', 'rating'].map((field) => ({ type: 'avg', field }))
  expect(await valuesOf(averages)).toEqual([25.25, 18014398509481988 / 7, 17.75 / 3, 2.5e299])
})

it('P303: a sum that no double can hold is refused', async () => {
  const type = await service.store.applyObjectType(service.ontology, {
    ...employeeDefinition,
    apiName: 'huge',
  })
  await putItems(
    service.store,
    type,
    [1, 2].map((i) => ({ employeeId: `e${i}`, badge: '1', rating: 1.7e308 })),
  )
  expect(await refusal({ aggregation: [{ type: 'sum', field: 'rating' }] }, 'huge')).toMatchObject(
    errorNamed('AggregationMetricNotSupported', { type: 'sum', property: 'rating', reason: 'tooLarge' }),
  )
  const { data } = await aggregate({ aggregation: [{ type: 'avg', field: 'rating' }] }, 'huge')
  expect(data[0]?.metrics[0]?.value).toBe(1.7e308)
})

it('P304: of no values, a count and a sum are 0, and the others have no value', async () => {
  const aggregation = [
    count,
    ...['sum', 'avg', 'min', 'max', 'exactDistinct'].map((type) => ({ type, field: 'age' })),
  ]
  const { data } = await aggregate({ query: { type: 'eq', field: 'age', value: 99 }, aggregation })
  expect(data).toEqual([
    {
      group: {},
      metrics: [
        { name: 'count', value: 0 },
        { name: 'age.sum', value: 0 },
        { name: 'age.avg' },
        { name: 'age.min' },
        { name: 'age.max' },
        { name: 'age.exactDistinct', value: 0 },
      ],
    },
  ])
})

it('P305: what a type does not allow is refused, with what it does', async () => {
  const metric = (type: string, field: string) => refusal({ aggregation: [{ type, field }] })
  expect(await metric('sum', 'department')).toMatchObject(
    errorNamed('AggregationMetricNotSupported', {
      type: 'sum',
      property: 'department',
      propertyBaseType: 'String',
      reason: 'propertyType',
      supported: ['min', 'max', 'exactDistinct', 'approximateDistinct'],
    }),
  )
  expect(await metric('max', 'active')).toMatchObject({ errorName: 'AggregationMetricNotSupported' })
  expect(await metric('exactDistinct', 'tags')).toMatchObject(
    errorNamed('AggregationMetricNotSupported', { reason: 'array', propertyBaseType: 'Array<String>' }),
  )
  const groupings = [
    { type: 'fixedWidth', field: 'birthday', fixedWidth: 1 },
    { type: 'duration', field: 'age', value: 1, unit: 'DAYS' },
    { type: 'ranges', field: 'department', ranges: [{ startValue: 'a' }] },
    { type: 'exact', field: 'names:firstName' },
  ]
  for (const grouping of groupings) {
    expect(await refusal({ aggregation: [count], groupBy: [grouping] })).toMatchObject(
      errorNamed('AggregationMetricNotSupported', { type: grouping.type }),
    )
  }
})

it('P306: a field is a property with an index, the key, or a component; another is refused with what to declare', async () => {
  const type = await service.store.applyObjectType(service.ontology, {
    ...employeeDefinition,
    apiName: 'plain',
    orders: [],
    properties: { ...employeeDefinition.properties, age: { type: 'integer' } },
  })
  await putItems(service.store, type, [{ employeeId: 'e1', badge: '1', address: { city: 'Ulm', floor: 3 } }])
  expect(await refusal({ aggregation: [{ type: 'max', field: 'age' }] }, 'plain')).toMatchObject(
    errorNamed('PropertiesNotSearchable', { propertyApiNames: ['age'], declaration: '"searchable": true' }),
  )
  const { data } = await aggregate(
    {
      aggregation: [{ type: 'max', field: 'properties.address:floor' }],
      groupBy: [{ type: 'exact', field: 'address:city' }],
    },
    'plain',
  )
  expect(data).toEqual([
    { group: { 'address:city': 'Ulm' }, metrics: [{ name: 'properties.address:floor.max', value: 3 }] },
  ])
  const bad = (field: string) => refusal({ aggregation: [{ type: 'exactDistinct', field }] })
  expect(await bad('agee')).toMatchObject(errorNamed('PropertiesNotFound', { didYouMean: ['age'] }))
  expect(await bad('address')).toMatchObject({ errorName: 'InvalidFields' })
  expect(await bad('age:x')).toMatchObject({ errorName: 'InvalidFields' })
  expect(await bad('age..')).toMatchObject({ errorName: 'InvalidFields' })
})

it('P313: an aggregate is of one state: the latest, or that of the snapshot token', async () => {
  const taken = await answerOf(service, '/api/promised/v1/snapshots', jsonBody({ objectTypes: ['employee'] }))
  const { snapshotToken, versions } = JSON.parse(taken.text) as Snapshot
  const body = { aggregation: [count, { type: 'sum', field: 'age' }], snapshotToken }
  const before = await aggregate(body)
  expect(before.version).toBe(versions['employee'])
  await putItems(service.store, await employeeType(), [
    { employeeId: 'e1', badge: '1', department: 'Art', age: 1_000 },
    { employeeId: 'e8', badge: '1', age: 1_000 },
  ])
  expect(await aggregate(body)).toEqual(before)
  expect(await valuesOf([count, { type: 'max', field: 'age' }], { snapshotToken })).toEqual([7, 41])
  expect(await countsBy({ type: 'exact', field: 'department' }, { snapshotToken })).toEqual([
    ['Art', 1],
    ['Sales', 2],
    ['Zoo', 3],
  ])
  const after = await aggregate({ ...body, snapshotToken: null })
  expect(after.data[0]?.metrics.map(({ value }) => value)).toEqual([8, 2_071])
  expect(Number(after.version)).toBeGreaterThan(Number(before.version))
})

it('P314: more objects than the budget are refused, before and while they are read', async () => {
  const grouped = { aggregation: [count], groupBy: [{ type: 'exact', field: 'age' }] }
  expect(await refusal(grouped, 'large')).toMatchObject(
    errorNamed('AggregateTooExpensive', {
      reason: 'allObjects',
      objectCount: 500,
      limit: 'readObjects',
      maximum: budget,
      searchable: ['employeeId', 'fullName', 'age', 'notes', 'names', 'tags', 'address'],
    }),
  )
  const few = await aggregate({ ...grouped, query: { type: 'lt', field: 'age', value: 3 } }, 'large')
  expect(few.data.map(({ metrics }) => metrics[0]?.value)).toEqual([10, 10, 10])
  expect(
    await refusal({ ...grouped, query: { type: 'lt', field: 'age', value: 45 } }, 'large'),
  ).toMatchObject(errorNamed('AggregateTooExpensive', { reason: 'matches' }))
  // Sixty match: few enough to begin, and too many to end.
  expect(await refusal({ ...grouped, query: { type: 'lt', field: 'age', value: 6 } }, 'large')).toMatchObject(
    errorNamed('AggregateTooExpensive', { reason: 'matches', maximum: budget }),
  )
  const unindexed = { type: 'not', value: { type: 'eq', field: 'age', value: 3 } }
  expect(await refusal({ ...grouped, query: unindexed }, 'large')).toMatchObject(
    errorNamed('AggregateTooExpensive', { reason: 'unindexed', objectCount: 500 }),
  )
})

it('P315: counts, and the ends of a sortable property, are returned for any number of objects', async () => {
  const aggregation = [
    count,
    { type: 'min', field: 'badge' },
    { type: 'max', field: 'badge' },
    { type: 'max', field: 'salary' },
    { type: 'min', field: 'rating' },
    { type: 'max', field: 'employeeId' },
  ]
  const { data } = await aggregate({ aggregation }, 'large')
  expect(data[0]?.metrics.map(({ value }) => value)).toEqual([500, '0', '499', '1.5', undefined, 'e499'])
})

it('P316: distinct values are counted exactly, under both names', async () => {
  const distinct = ['exactDistinct', 'approximateDistinct'].map((type) => ({ type, field: 'salary' }))
  const { data } = await aggregate({
    aggregation: distinct,
    query: { type: 'in', field: 'employeeId', value: ['e2', 'e3', 'e4'] },
  })
  expect(data[0]?.metrics.map(({ value }) => value)).toEqual([2, 2])
})

it('P318: an aggregate has at most 10 metrics and 3 groupings', async () => {
  const many = Array.from({ length: 11 }, (_, i) => ({ ...count, name: `n${i}` }))
  expect(await refusal({ aggregation: many })).toMatchObject({ errorName: 'Conjure:UnprocessableEntity' })
  expect(await refusal({ aggregation: [] })).toMatchObject({ errorName: 'Conjure:UnprocessableEntity' })
  const groupBy = ['age', 'badge', 'salary', 'rating'].map((field) => ({ type: 'exact', field }))
  expect(await refusal({ aggregation: [count], groupBy })).toMatchObject(
    errorNamed('Conjure:UnprocessableEntity', { path: '/groupBy' }),
  )
})

it('P319: any number of objects can be counted by the values of a counted property', async () => {
  const { store, ontology } = service
  const counted = (apiName: string, more: object = {}) =>
    store.applyObjectType(ontology, {
      ...employeeDefinition,
      apiName,
      properties: {
        ...employeeDefinition.properties,
        department: { type: 'string', counted: true },
        age: { type: 'integer', counted: true },
      },
      ...more,
    })
  const people = Array.from({ length: 200 }, (_, i) => ({
    employeeId: `e${i}`,
    badge: '1',
    ...(i % 4 > 0 && { department: `d${i % 4}` }),
    age: i,
  }))
  const type = await counted('counted')
  await putItems(store, type, people)
  const byDepartment = { aggregation: [count], groupBy: [{ type: 'exact', field: 'department' }] }
  const groupsOf = async (body: object) =>
    (await aggregate(body, 'counted')).data.map(({ group, metrics }) => [
      group['department'],
      metrics[0]?.value,
    ])
  expect(await groupsOf(byDepartment)).toEqual([
    ['d1', 50],
    ['d2', 50],
    ['d3', 50],
  ])
  await putItems(store, type, [{ employeeId: 'e1', badge: '1', department: 'd3' }, people[2] ?? {}])
  const taken = await answerOf(service, '/api/promised/v1/snapshots', jsonBody({ objectTypes: ['counted'] }))
  const { snapshotToken } = JSON.parse(taken.text) as Snapshot
  const withNulls = {
    aggregation: [{ ...count, direction: 'DESC' }],
    groupBy: [{ type: 'exact', field: 'department', includeNullValues: true }],
  }
  const now = [
    ['d3', 51],
    ['d2', 50],
    [null, 50],
    ['d1', 49],
  ]
  expect(await groupsOf(withNulls)).toEqual(now)
  expect(await groupsOf({ ...withNulls, snapshotToken })).toEqual(now)
  const { excludedItems, data } = await aggregate(
    { aggregation: [count], groupBy: [{ type: 'exact', field: 'department', maxGroupCount: 1 }] },
    'counted',
  )
  expect([data.length, excludedItems]).toEqual([1, 101])
  // Without a counted property the objects are read, and these are too many.
  const tooMuch = { errorName: 'AggregateTooExpensive' }
  expect(
    await refusal({ ...byDepartment, groupBy: [{ type: 'exact', field: 'age' }] }, 'counted'),
  ).toMatchObject(tooMuch)
  expect(
    await refusal({ ...byDepartment, query: { type: 'gte', field: 'employeeId', value: '' } }, 'counted'),
  ).toMatchObject(tooMuch)
  await putItems(store, type, [{ employeeId: 'e1', badge: '1' }])
  expect(await refusal({ ...withNulls, snapshotToken }, 'counted')).toMatchObject(tooMuch)
  await counted('countedForSome', { policy: { type: 'eq', field: 'employeeId', value: { claim: 'name' } } })
  const hidden = await store.catalog.objectType(ontology, 'countedForSome')
  if (hidden !== undefined) await putItems(store, hidden, people)
  expect((await aggregate(byDepartment, 'countedForSome')).data).toEqual([])
})
