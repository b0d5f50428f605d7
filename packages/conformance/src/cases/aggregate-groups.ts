// Aggregates by group: the groups and their counts are those of the objects that a search shows.
import { limits, type ScalarValue } from '@octavo/protocol'
import type { Case } from './case.ts'
import { demand, shown, skip } from '../clauses/clause-failure.ts'
import { demandRefusal } from './refusal.ts'
import {
  aggregateOf,
  chosenObjects,
  count,
  demandGroups,
  numeric,
  propertyOf,
  requireAggregates,
  valuesOf,
} from '../subject/ask-aggregate.ts'
import { compareValues } from '../subject/compare-values.ts'
import { countOf, requireCount } from '../subject/count-of.ts'
import { durationStart, unitsTried, widthStart, type TriedUnit } from '../subject/exact-numbers.ts'
import type { KnownProperty } from '../subject/known-type.ts'
import { aggregateRequest } from '../subject/page-request.ts'
import type { Subject } from '../subject/subject.ts'
import { isObject, scalarOf, type WireRecord } from '../subject/wire-page.ts'

const anyScalar = ['string', 'integer', 'long', 'date', 'timestamp', 'double', 'decimal', 'boolean'] as const

type Counted = readonly (readonly [value: ScalarValue, count: number])[]

/** How often each value comes, in the order of the values. */
function countsOf(values: readonly ScalarValue[], { scalar = 'string' }: KnownProperty): Counted {
  const groups = Map.groupBy(values, (value) => value)
  return [...groups]
    .map(([value, all]) => [value, all.length] as const)
    .toSorted(([a], [b]) => compareValues(scalar, a, b))
}

const withoutValue = (objects: readonly WireRecord[], { name }: KnownProperty): number =>
  objects.filter((object) => scalarOf(object, name) === undefined).length

interface Tried {
  readonly subject: Subject
  readonly objects: readonly WireRecord[]
  readonly property: KnownProperty
  readonly values: readonly ScalarValue[]
  /** Asks for the counts of some groups of the chosen objects. */
  readonly groupedBy: (
    clause: string,
    grouping: object,
    aggregation?: readonly object[],
  ) => ReturnType<typeof aggregateOf>
}

async function tryGroups(
  subject: Subject,
  scalars: readonly string[],
  work: (tried: Tried) => Promise<void>,
): Promise<void> {
  await requireAggregates(subject)
  const { objects, filter } = chosenObjects(subject)
  const property = propertyOf(subject, scalars, objects)
  const field = property.name
  await work({
    subject,
    objects,
    property,
    values: valuesOf(objects, property),
    groupedBy: (clause, grouping, aggregation = [count]) =>
      aggregateOf(subject, clause, { filter, aggregation, groupBy: [{ field, ...grouping }] }),
  })
}

export const aggregateGroupCases: readonly Case[] = [
  {
    clause: 'P307',
    title: 'exact makes a group of each value, and one of those without a value if it is asked for',
    run: (subject) =>
      tryGroups(subject, anyScalar, async ({ objects, property, values, groupedBy }) => {
        const field = property.name
        const groups = countsOf(values, property)
        demandGroups(await groupedBy('P307', { type: 'exact' }), 'P307', { field, groups })
        const without = withoutValue(objects, property)
        const all = without === 0 ? groups : [...groups, [null, without] as const]
        const found = await groupedBy('P307', { type: 'exact', includeNullValues: true })
        demandGroups(found, 'P307', { field, groups: all })
      }),
  },
  {
    clause: 'P308',
    title: 'ranges count from their start to before their end, and may not overlap',
    run: (subject) =>
      tryGroups(subject, [...numeric, 'date', 'timestamp'], async ({ property, values, groupedBy }) => {
        const field = property.name
        const counts = countsOf(values, property)
        const [middle] = counts[counts.length >> 1] ?? []
        if (middle === undefined || counts.length < 2) skip(`needs two values of ${field}`)
        const ranges = [{ endValue: middle }, { startValue: middle }]
        const sumOf = (some: Counted) => some.reduce((sum, [, each]) => sum + each, 0)
        const { scalar = 'string' } = property
        const below = counts.filter(([value]) => compareValues(scalar, value, middle) < 0)
        const groups = ranges.map(
          (range, i) => [range, i === 0 ? sumOf(below) : values.length - sumOf(below)] as const,
        )
        demandGroups(await groupedBy('P308', { type: 'ranges', ranges }), 'P308', { field, groups })
        const overlapping = [{ startValue: counts[0]?.[0] }, { startValue: middle }]
        await demandRefused(subject, { type: 'ranges', field, ranges: overlapping }, 'P308')
      }),
  },
  {
    clause: 'P309',
    title: 'fixedWidth makes groups that begin with the multiples of the width',
    run: (subject) =>
      tryGroups(subject, ['integer'], async ({ property, values, groupedBy }) => {
        const field = property.name
        const starts = values.map((value) => widthStart(Number(value), 4))
        const groups = countsOf(starts, property)
        const found = await groupedBy('P309', { type: 'fixedWidth', fixedWidth: 4 })
        demandGroups(found, 'P309', { field, groups })
        for (const fixedWidth of [0, -1, 1.5]) {
          await demandRefused(subject, { type: 'fixedWidth', field, fixedWidth }, 'P309')
        }
      }),
  },
  {
    clause: 'P310',
    title: 'duration makes groups of days, months and decades, in UTC',
    run: (subject) =>
      tryGroups(subject, ['timestamp', 'date'], async ({ property, values, groupedBy }) => {
        const field = property.name
        for (const [unit, value] of Object.entries(unitsTried)) {
          const starts = values.map((each) => durationStart(String(each), unit as TriedUnit))
          const groups = countsOf(starts, property)
          demandGroups(await groupedBy('P310', { type: 'duration', unit, value }), 'P310', { field, groups })
        }
      }),
  },
  {
    clause: 'P311',
    title: 'groups come in the order of a metric if it has a direction, and then in that of their values',
    run: (subject) =>
      tryGroups(subject, anyScalar, async ({ property, values, groupedBy }) => {
        const field = property.name
        const counts = countsOf(values, property)
        for (const [direction, sign] of [
          ['ASC', 1],
          ['DESC', -1],
          ['asc', 1],
          ['desc', -1],
        ] as const) {
          const groups = counts.toSorted(([, a], [, b]) => sign * (a - b))
          const found = await groupedBy('P311', { type: 'exact' }, [{ ...count, direction }])
          demandGroups(found, 'P311', { field, groups })
        }
        const { collection, send } = subject
        const aggregation = ['a', 'b'].map((name) => ({ ...count, name, direction: 'ASC' }))
        demandRefusal(await send(aggregateRequest(collection, { aggregation })), {
          clause: 'P311',
          name: 'InvalidAggregationOrdering',
          because: 'two metrics have a direction',
        })
      }),
  },
  {
    clause: 'P312',
    title:
      'groups that are left out are reported with the number of their objects, and none are left out silently',
    run: (subject) =>
      tryGroups(subject, anyScalar, async ({ property, values, groupedBy }) => {
        const field = property.name
        const counts = countsOf(values, property)
        for (const maxGroupCount of [1, counts.length, counts.length + 1]) {
          const groups = counts.slice(0, maxGroupCount)
          const found = await groupedBy('P312', { type: 'exact', maxGroupCount })
          demandGroups(found, 'P312', { field, groups })
          const others = counts.slice(maxGroupCount).reduce((sum, [, each]) => sum + each, 0)
          demand(found.excludedItems === (others === 0 ? undefined : others), {
            clause: 'P312',
            expected: `excludedItems ${others === 0 ? 'absent' : others}, the objects in the other groups`,
            found: shown(found.excludedItems),
            exchange: found.exchange,
          })
        }
        await requireCount(subject)
        const { total } = await countOf(subject)
        if (total <= limits.aggregate.groups) return
        const { collection, send } = subject
        const groupBy = [{ type: 'exact', field: subject.type.key.name }]
        const exchange = await send(aggregateRequest(collection, { aggregation: [count], groupBy }))
        if (isTooExpensive(exchange.body)) return
        demandRefusal(exchange, {
          clause: 'P312',
          name: 'AggregationGroupCountExceededLimit',
          because: `there are ${total} groups`,
        })
      }),
  },
  {
    clause: 'P314',
    title: 'an aggregate of all objects has read all of them, or is refused',
    run: async (subject) => {
      await requireAggregates(subject)
      await requireCount(subject)
      const { collection, send, type } = subject
      const { total } = await countOf(subject)
      const filter = { kind: 'isNull', property: type.key.name, value: false } as const
      const aggregation = [count, { type: 'exactDistinct', field: type.key.name }]
      const refused = await send(aggregateRequest(collection, { filter, aggregation }))
      if (isTooExpensive(refused.body)) {
        demandRefusal(refused, {
          clause: 'P314',
          name: 'AggregateTooExpensive',
          because: 'there are more objects than an aggregate may read',
        })
        return
      }
      const { data, exchange } = await aggregateOf(subject, 'P314', { filter, aggregation })
      const found = data[0]?.metrics.map(({ value }) => value)
      demand(JSON.stringify(found) === JSON.stringify([total, total]), {
        clause: 'P314',
        expected: `${total} objects, and as many different keys`,
        found: shown(found),
        exchange,
      })
    },
  },
]

const isTooExpensive = (body: unknown): boolean =>
  isObject(body) && body['errorName'] === 'AggregateTooExpensive'

async function demandRefused(
  { collection, send }: Subject,
  grouping: object,
  clause: 'P308' | 'P309',
): Promise<void> {
  demandRefusal(await send(aggregateRequest(collection, { aggregation: [count], groupBy: [grouping] })), {
    clause,
    name: 'InvalidAggregationRange',
    because: `${shown(grouping)} makes no groups`,
  })
}
