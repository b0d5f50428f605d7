import { limits, type OrderDirection } from '@octavo/protocol'
import type { Case } from './case.ts'
import { demand, skip } from '../clauses/clause-failure.ts'
import { demandRefusal } from './refusal.ts'
import { compareValues } from '../subject/compare-values.ts'
import {
  filterFor,
  inOrder,
  orderProperties,
  spreadObjects,
  tellingObjects,
} from '../subject/chosen-objects.ts'
import { otherScalars } from '../subject/known-type.ts'
import type { OrderKey } from '../subject/page-request.ts'
import { difference, keysOf, readWalk } from '../subject/read-walk.ts'
import { askForPage, type Subject } from '../subject/subject.ts'
import { scalarOf, type WireRecord } from '../subject/wire-page.ts'
import { withOwnObjects } from '../subject/own-objects.ts'
import { distinctValues, requireSmallType, tied, withoutValue, withValue } from './order-samples.ts'

const directions: readonly OrderDirection[] = ['asc', 'desc']
const mostProperties = 4

interface OrderedWalk {
  readonly clause: string
  readonly orderBy: readonly OrderKey[]
  readonly records: readonly WireRecord[]
  readonly pageSizes?: readonly (readonly number[])[]
}

/** Walks over exactly these objects, in one order and with several page sizes. */
async function demandOrder(
  subject: Subject,
  { clause, orderBy, records, pageSizes }: OrderedWalk,
): Promise<void> {
  const expected = keysOf(subject, inOrder(subject, records, orderBy))
  const isAll = records.length === subject.sample.length
  for (const sizes of pageSizes ?? [[1], [2], [3, 5]]) {
    const walk = await readWalk(subject, {
      clause,
      ask: { orderBy, ...(!isAll && { filter: filterFor(subject, records) }) },
      pageSizes: sizes,
      knownObjects: expected.length,
    })
    const found = difference(keysOf(subject, walk.records), expected)
    demand(found === undefined, {
      clause,
      expected: `${expected.length} objects by ${orderBy.map((key) => `${key.property} ${key.direction}`).join(', ')}, then by primary key`,
      found,
      exchange: walk.last,
    })
  }
}

export const orderCases: readonly Case[] = [
  {
    clause: 'P39',
    title: 'objects with equal order values are all returned, ordered by their primary keys',
    run: async (subject) => {
      const property = orderProperties(subject).find(({ name }) => tied(subject, name).length >= 4)
      if (property === undefined) skip('needs a sortable property with the same value in several objects')
      const records = tied(subject, property.name)
      for (const direction of directions) {
        await demandOrder(subject, {
          clause: 'P39',
          orderBy: [{ property: property.name, direction }],
          records,
        })
      }
    },
  },
  {
    clause: 'P40',
    title: 'objects without a value come last in both directions',
    run: async (subject) => {
      const property = orderProperties(subject).find(
        ({ name }) => withoutValue(subject, name).length > 0 && withValue(subject, name).length > 0,
      )
      if (property === undefined) skip('needs a sortable property that some objects have no value for')
      // Only different values: ties are checked for P39.
      const distinct = new Map(
        withValue(subject, property.name).map((each) => [scalarOf(each, property.name), each]),
      )
      const records = [
        ...[...distinct.values()].slice(0, 5),
        ...withoutValue(subject, property.name).slice(0, 5),
      ]
      for (const direction of directions) {
        await demandOrder(subject, {
          clause: 'P40',
          orderBy: [{ property: property.name, direction }],
          records,
        })
      }
    },
  },
  {
    clause: 'P41',
    title: 'without orderBy a collection is in ascending order of the primary key',
    run: async (subject) => {
      const { sample } = subject
      const found = difference(keysOf(subject, sample), keysOf(subject, inOrder(subject, sample, [])))
      const { last, records } = await readWalk(subject, { clause: 'P41', pageSizes: [5], untilObjects: 25 })
      demand(found === undefined, {
        clause: 'P41',
        expected: 'the objects in ascending order of the primary key',
        found,
        exchange: last,
      })
      const walked = difference(
        keysOf(subject, records.slice(0, 25)),
        keysOf(subject, inOrder(subject, sample, []).slice(0, 25)),
      )
      demand(walked === undefined, {
        clause: 'P41',
        expected: 'the same order page by page',
        found: walked,
        exchange: last,
      })
    },
  },
  {
    clause: 'P41',
    title: 'a filtered walk keeps one order for all its pages',
    run: async (subject) => {
      const records = spreadObjects(subject, 12)
      const ask = { filter: filterFor(subject, records) }
      const whole = await readWalk(subject, { clause: 'P41', ask })
      for (const pageSizes of [[1], [5, 2]]) {
        const walk = await readWalk(subject, { clause: 'P41', ask, pageSizes })
        const found = difference(keysOf(subject, walk.records), keysOf(subject, whole.records))
        demand(found === undefined && walk.records.length === records.length, {
          clause: 'P41',
          expected: `the same ${records.length} objects in the same order as in one page`,
          found,
          exchange: walk.last,
        })
      }
    },
  },
  {
    clause: 'P42',
    title: 'a walk can be ordered by the primary key and by each sortable property, in both directions',
    run: async (subject) => {
      const { key, orders } = subject.type
      const single = [key, ...orderProperties(subject).slice(0, mostProperties)]
      for (const { name } of single) {
        const records = distinctValues(subject, name)
        for (const direction of directions) {
          const orderBy = [{ property: name, direction }]
          await demandOrder(subject, { clause: 'P42', orderBy, records, pageSizes: [[4]] })
        }
      }
      for (const orderBy of orders.slice(0, mostProperties)) {
        const records = tellingObjects(subject, orderBy[0]?.property ?? key.name)
        await demandOrder(subject, { clause: 'P42', orderBy, records, pageSizes: [[3]] })
      }
    },
  },
  {
    clause: 'P42',
    title: 'an ordered walk over the whole type misses and repeats nothing',
    run: async (subject) => {
      const { sample } = subject
      requireSmallType(subject)
      const property = orderProperties(subject).find(
        ({ name }) => distinctValues(subject, name).length === sample.length,
      )
      // Ties and missing values are checked for other clauses.
      if (property === undefined) skip('needs a sortable property whose values all differ')
      for (const direction of directions) {
        const orderBy = [{ property: property.name, direction }]
        await demandOrder(subject, { clause: 'P42', orderBy, records: sample, pageSizes: [[11]] })
      }
    },
  },
  {
    clause: 'P43',
    title: 'an order that is not declared is refused with the declaration to add',
    run: async (subject) => {
      const property = otherScalars(subject.type).find(({ sortable }) => !sortable)
      if (property === undefined) skip('needs a scalar property that is not sortable')
      const exchange = await askForPage(subject, { orderBy: [{ property: property.name, direction: 'asc' }] })
      const { parameters } = demandRefusal(exchange, {
        clause: 'P43',
        name: 'PropertiesNotSortable',
        parameters: { properties: [property.name] },
        because: `${property.name} is not declared sortable`,
      })
      demand(typeof parameters['declaration'] === 'string' && parameters['declaration'] !== '', {
        clause: 'P43',
        expected: 'the declaration to add',
        exchange,
      })
    },
  },
  {
    clause: 'P44',
    title: 'an order with a property twice is refused',
    run: async (subject) => {
      const { name } = subject.type.key
      const orderBy = directions.map((direction) => ({ property: name, direction }))
      demandRefusal(await askForPage(subject, { orderBy }), {
        clause: 'P44',
        name: 'DuplicateOrderBy',
        because: `${name} is named twice`,
      })
    },
  },
  {
    clause: 'P44',
    title: 'an order with more than four properties is refused',
    run: async (subject) => {
      const most = limits.order.keys
      const names = subject.type.properties.map(({ name }) => name).slice(0, most + 1)
      if (names.length <= most) skip(`needs a type with more than ${most} properties`)
      const orderBy = names.map((property) => ({ property, direction: 'asc' as const }))
      demandRefusal(await askForPage(subject, { orderBy }), {
        clause: 'P44',
        name: 'QueryTooLarge',
        because: `an order names at most ${most} properties`,
      })
    },
  },
  {
    clause: 'P45',
    title: 'values are ordered by code point, by number, by time, and false before true',
    run: async (subject) => {
      const properties = orderProperties(subject)
      if (properties.length === 0) skip('needs a sortable property beside the primary key')
      for (const { name } of properties.slice(0, 10)) {
        const records = distinctValues(subject, name)
        if (records.length < 2) continue
        const orderBy = [{ property: name, direction: 'asc' as const }]
        await demandOrder(subject, { clause: 'P45', orderBy, records, pageSizes: [[100]] })
      }
    },
  },
  {
    clause: 'P45',
    title: 'strings are ordered by code point, not as in a dictionary or by UTF-16 code unit',
    writes: true,
    run: (subject) =>
      withOwnObjects(subject, async (own) => {
        const property = orderProperties(subject).find(({ scalar }) => scalar === 'string')
        if (property === undefined) skip('needs a sortable property of the type string')
        await own.setValues(property.name, tellingStrings)
        const expected = tellingStrings.toSorted((a, b) => compareValues('string', a, b))
        for (const pageSizes of [[100], [2]]) {
          const walk = await readWalk(subject, {
            clause: 'P45',
            ask: { filter: own.filter, orderBy: [{ property: property.name, direction: 'asc' }] },
            pageSizes,
          })
          const found = difference(
            walk.records.map((record) => scalarOf(record, property.name)),
            expected,
          )
          demand(found === undefined, {
            clause: 'P45',
            expected: `${property.name} in the order of code points: ${expected.join(' ')}`,
            found,
            exchange: walk.last,
          })
        }
      }),
  },
]

const tellingStrings = ['b', 'a', 'B', 'Z', 'é', 'z', 'ß', '10', '9', '_', '~', '\u{FF5E}', '\u{1F600}']
