import { forAllTests } from '@octavo/dev-database/vitest'
import { expect, it } from 'vitest'
import { serveAggregates, type AggregatedService } from '../support/serve-aggregates.ts'
import { errorNamed } from '../support/named-errors.ts'

const service = forAllTests(() => serveAggregates(100))

const { aggregate, refusal, countsBy }: Pick<AggregatedService, 'aggregate' | 'refusal' | 'countsBy'> = {
  aggregate: (...asked) => service.aggregate(...asked),
  refusal: (...asked) => service.refusal(...asked),
  countsBy: (...asked) => service.countsBy(...asked),
}

const count = { type: 'count' }

it('P307: exact groups have equal values, and objects without one are a group only if they are asked for', async () => {
  const grouped = [
    ['Art', 1],
    ['Sales', 2],
    ['Zoo', 3],
  ]
  expect(await countsBy({ type: 'exact', field: 'department' })).toEqual(grouped)
  const withNulls = { type: 'exact', field: 'department', includeNullValues: true }
  expect(await countsBy(withNulls)).toEqual([...grouped, [null, 1]])
  expect(await countsBy({ type: 'exact', field: 'salary' })).toEqual([
    ['-3.25', 1],
    ['10.5', 2],
  ])
})

it('P308: ranges are half open, do not overlap, and come in the order of their values', async () => {
  const ranges = [{ startValue: 35, endValue: 41 }, { startValue: 41 }, { endValue: 0 }]
  expect(await countsBy({ type: 'ranges', field: 'age', ranges })).toEqual([
    [{ endValue: 0 }, 1],
    [{ startValue: 35, endValue: 41 }, 1],
    [{ startValue: 41 }, 1],
  ])
  const refusedRanges = (...given: readonly object[]) =>
    refusal({ aggregation: [count], groupBy: [{ type: 'ranges', field: 'age', ranges: given }] })
  for (const given of [
    [{ startValue: 5, endValue: 5 }],
    [{ startValue: 1, endValue: 6 }, { startValue: 5 }],
    [{ startValue: 1 }, { startValue: 5 }],
    [{ endValue: 1 }, { endValue: 0 }],
    [{ startValue: 'one' }],
  ]) {
    expect(await refusedRanges(...given)).toMatchObject(
      errorNamed('InvalidAggregationRange', { property: 'age' }),
    )
  }
})

it('P309: groups of a width begin with its multiples, below zero too', async () => {
  expect(await countsBy({ type: 'fixedWidth', field: 'age', fixedWidth: 10 })).toEqual([
    [-10, 1],
    [30, 2],
    [40, 1],
  ])
  expect(await countsBy({ type: 'fixedWidth', field: 'salary', fixedWidth: 0.25 })).toEqual([
    ['-3.25', 1],
    ['10.5', 2],
  ])
  expect(await countsBy({ type: 'fixedWidth', field: 'badge', fixedWidth: 2 })).toEqual([
    ['-2', 1],
    ['0', 4],
    ['9007199254740992', 2],
  ])
  const width = (fixedWidth: number) =>
    refusal({ aggregation: [count], groupBy: [{ type: 'fixedWidth', field: 'age', fixedWidth }] })
  for (const wrong of [0, -1, 0.5]) {
    expect(await width(wrong)).toMatchObject({ errorName: 'InvalidAggregationRange' })
  }
})

it('P310: durations are in UTC: weeks begin on Monday, and months and years with their first day', async () => {
  const by = (field: string, value: number, unit: string) =>
    countsBy({ type: 'duration', field, value, unit })
  expect(await by('hiredAt', 1, 'WEEKS')).toEqual([
    ['2024-02-26T00:00:00Z', 2],
    ['2024-03-04T00:00:00Z', 1],
  ])
  expect(await by('hiredAt', 12, 'HOURS')).toEqual([
    ['2024-02-29T12:00:00Z', 1],
    ['2024-03-03T12:00:00Z', 1],
    ['2024-03-04T00:00:00Z', 1],
  ])
  expect(await by('hiredAt', 1, 'MONTHS')).toEqual([
    ['2024-02-01T00:00:00Z', 1],
    ['2024-03-01T00:00:00Z', 2],
  ])
  expect(await by('birthday', 10, 'YEARS')).toEqual([
    ['1990-01-01', 1],
    ['2000-01-01', 2],
  ])
  expect(await by('birthday', 3, 'MONTHS')).toEqual([
    ['1999-10-01', 1],
    ['2000-01-01', 1],
    ['2001-01-01', 1],
  ])
  expect(
    await refusal({
      aggregation: [count],
      groupBy: [{ type: 'duration', field: 'birthday', value: 1, unit: 'HOURS' }],
    }),
  ).toMatchObject({ errorName: 'InvalidAggregationRange' })
})

it('P311: groups come in the order of their values, or of one metric', async () => {
  const groupBy = [
    { type: 'exact', field: 'department' },
    { type: 'exact', field: 'badge' },
  ]
  const { data } = await aggregate({ aggregation: [count], groupBy })
  expect(data.map(({ group }) => Object.values(group))).toEqual([
    ['Art', '-2'],
    ['Sales', '9007199254740993'],
    ['Zoo', '1'],
  ])
  const byAge = (direction: string) =>
    countsBy(
      { type: 'exact', field: 'department' },
      { aggregation: [count, { type: 'avg', field: 'age', direction }] },
    )
  expect((await byAge('DESC')).map(([department]) => department)).toEqual(['Sales', 'Art', 'Zoo'])
  expect((await byAge('ASC')).map(([department]) => department)).toEqual(['Art', 'Sales', 'Zoo'])
  const twice = [
    { type: 'count', direction: 'ASC' },
    { type: 'max', field: 'age', direction: 'ASC' },
  ]
  expect(await refusal({ aggregation: twice, groupBy })).toMatchObject(
    errorNamed('InvalidAggregationOrdering', { names: ['count', 'age.max'] }),
  )
  expect(await refusal({ aggregation: [count], groupBy: [groupBy[0], groupBy[0]] })).toMatchObject(
    errorNamed('Conjure:UnprocessableEntity', { path: '/groupBy/1/field' }),
  )
})

it('P312: with maxGroupCount the first groups come, and the answer says how many objects the others hold', async () => {
  const { data, excludedItems } = await aggregate({
    aggregation: [{ type: 'count', direction: 'DESC' }],
    groupBy: [{ type: 'exact', field: 'department', maxGroupCount: 1 }],
  })
  expect(data).toEqual([{ group: { department: 'Zoo' }, metrics: [{ name: 'count', value: 3 }] }])
  expect(excludedItems).toBe(3)
  const all = await aggregate({
    aggregation: [count],
    groupBy: [{ type: 'exact', field: 'department', maxGroupCount: 3 }],
  })
  expect(all.data).toHaveLength(3)
  expect(all).not.toHaveProperty('excludedItems')
})
