// Every metric and every grouping of `aggregate`, compared with the same of the objects in memory.
import { deepEqual, equal } from 'node:assert/strict'
import { flights, flightType, type Flight, type OfficialCall } from './flight-world.ts'
import { anyAggregate } from './any-aggregate.ts'

const delays = flights.flatMap(({ delay }) => (delay === undefined ? [] : [delay]))
const sum = delays.reduce((a, b) => a + b, 0)

/** How many objects each group has, by the text of the group. */
function countsBy(groupOf: (flight: Flight) => unknown): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const flight of flights) {
    const group = groupOf(flight)
    if (group === undefined) continue
    const text = JSON.stringify(group)
    counts[text] = (counts[text] ?? 0) + 1
  }
  return counts
}

const groupings: readonly (readonly [name: string, groupBy: object, groupOf: (flight: Flight) => unknown])[] =
  [
    ['exact', { delay: 'exact' }, ({ delay }) => delay],
    ['exact of a boolean', { late: 'exact' }, ({ late }) => late],
    ['exact of a string', { tail: 'exact' }, ({ tail }) => tail],
    ['exact of a component', { 'pilot:LAST': 'exact' }, ({ pilot }) => pilot.LAST],
    ['exact with a limit that is not reached', { delay: { $exactWithLimit: 100 } }, ({ delay }) => delay],
    [
      'exact with a group of those without a value',
      { delay: { $exact: { $includeNullValue: true } } },
      ({ delay }) => delay ?? null,
    ],
    [
      'fixedWidth',
      { delay: { $fixedWidth: 2 } },
      ({ delay }) => (delay === undefined ? undefined : delay - (delay % 2)),
    ],
    [
      'ranges',
      {
        delay: {
          $ranges: [
            [0, 3],
            [3, 7],
          ],
        },
      },
      ({ delay }) => (delay === undefined ? undefined : delay < 3 ? range(0, 3) : range(3, 7)),
    ],
    [
      'two properties',
      { delay: 'exact', late: 'exact' },
      ({ delay, late }) => (delay === undefined ? undefined : [delay, late]),
    ],
  ]

const range = (startValue: unknown, endValue: unknown) => ({ startValue, endValue })

export const aggregateCalls: readonly OfficialCall[] = [
  {
    name: 'aggregate gives every metric',
    make: async ({ client }) => {
      const found = await anyAggregate(client(flightType), {
        $count: 'unordered',
        'delay:min': 'unordered',
        'delay:max': 'unordered',
        'delay:sum': 'unordered',
        'delay:avg': 'unordered',
        'delay:exactDistinct': 'unordered',
        'delay:approximateDistinct': 'unordered',
      })
      deepEqual(found, {
        $count: 1_200,
        delay: { min: 0, max: 6, sum, avg: sum / delays.length, exactDistinct: 7, approximateDistinct: 7 },
      })
    },
  },
  {
    name: 'aggregate of a filtered set',
    make: async ({ client }) => {
      const found = await anyAggregate(client(flightType).where({ late: true }), { $count: 'unordered' })
      deepEqual(found, { $count: flights.filter(({ late }) => late).length })
    },
  },
  {
    name: 'aggregate in the order of a metric',
    make: async ({ client }) => {
      const found = await anyAggregate(client(flightType), { $count: 'desc' }, { delay: 'exact' })
      const counts = (found as readonly { readonly $count: number }[]).map(({ $count }) => $count)
      equal(counts.length, 7)
      deepEqual(
        counts,
        counts.toSorted((a, b) => b - a),
      )
    },
  },
  ...['at', 'day'].map((property) => ({
    name: `aggregate by a duration of ${property}`,
    make: async ({ client }: Parameters<OfficialCall['make']>[0]) => {
      const groups = await anyAggregate(
        client(flightType),
        { $count: 'unordered' },
        { [property]: { $duration: [1, 'day'] } },
      )
      const counts = (groups as readonly { readonly $count: number }[]).map(({ $count }) => $count)
      equal(counts.length, property === 'at' ? 1 : 28)
      equal(
        counts.reduce((a, b) => a + b, 0),
        1_200,
      )
    },
  })),
  ...groupings.map(([name, groupBy, groupOf]) => ({
    name: `aggregate by ${name}`,
    make: async ({ client }: Parameters<OfficialCall['make']>[0]) => {
      const groups = await anyAggregate(client(flightType), { $count: 'unordered' }, groupBy)
      const counts = (groups as readonly { readonly $group: object; readonly $count: number }[]).map(
        ({ $group, $count }) => {
          const values: unknown[] = Object.values($group)
          return [JSON.stringify(values.length === 1 ? values[0] : values), $count]
        },
      )
      deepEqual(Object.fromEntries(counts), countsBy(groupOf))
    },
  })),
]
