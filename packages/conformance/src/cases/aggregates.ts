// Numbers about objects, compared with those of the objects that a search shows.
import { limits } from '@octavo/protocol'
import type { Case } from './case.ts'
import { demand, shown, skip } from '../clauses/clause-failure.ts'
import { madeUp } from './page-tokens.ts'
import { demandRefusal, type ExpectedRefusal } from './refusal.ts'
import {
  aggregable,
  aggregateOf,
  chosenObjects,
  count,
  demandMetrics,
  metricsOf,
  numeric,
  propertyOf,
  requireAggregates,
  valuesOf,
} from '../subject/ask-aggregate.ts'
import { compareValues } from '../subject/compare-values.ts'
import { exactAverage, exactSum } from '../subject/exact-numbers.ts'
import { unusedKey } from '../subject/keys-after-all.ts'
import { aggregateRequest, type AggregateAsk } from '../subject/page-request.ts'
import { readPage } from '../subject/read-page.ts'
import type { Subject } from '../subject/subject.ts'
import { requireSnapshotTokens, takeSnapshot } from '../subject/take-snapshot.ts'

type Refused = Pick<ExpectedRefusal, 'clause' | 'name' | 'because'>

async function demandRefused(
  { collection, send }: Subject,
  ask: AggregateAsk,
  refused: Refused,
): Promise<void> {
  demandRefusal(await send(aggregateRequest(collection, ask)), refused)
}

export const aggregateCases: readonly Case[] = [
  {
    clause: 'P300',
    title: 'an aggregate without groups has one element, of all objects that match',
    run: async (subject) => {
      const { objects, filter } = chosenObjects(subject)
      const aggregation = [count]
      demandMetrics(await aggregateOf(subject, 'P300', { filter, aggregation }), 'P300', [objects.length])
      const { page } = await readPage(subject, 'P35', { pageSize: 1, snapshot: true })
      const whole = await aggregateOf(subject, 'P300', { aggregation })
      demand(whole.version === page['version'], {
        clause: 'P313',
        expected: `version ${shown(page['version'])}, the latest`,
        exchange: whole.exchange,
      })
    },
  },
  {
    clause: 'P301',
    title: 'a metric has the name that it is given, or that of its field and type, and no name comes twice',
    run: async (subject) => {
      await requireAggregates(subject)
      const field = subject.type.key.name
      const distinct = { type: 'exactDistinct', field }
      const { filter } = chosenObjects(subject)
      const aggregation = [distinct, { ...count, name: 'how many' }, count]
      const { data, exchange } = await aggregateOf(subject, 'P301', { filter, aggregation })
      const names = data[0]?.metrics.map(({ name }) => name) ?? []
      const expected = [`${field}.exactDistinct`, 'how many', 'count']
      demand(JSON.stringify(names) === JSON.stringify(expected), {
        clause: 'P301',
        expected: `metrics with the names ${expected.join(', ')}, in this order`,
        found: names.join(', '),
        exchange,
      })
      const exact = { type: 'exact', field }
      for (const ask of [
        { aggregation: [count, count] },
        { aggregation: [count], groupBy: [exact, exact] },
      ]) {
        await demandRefused(subject, ask, {
          clause: 'P301',
          name: 'Conjure:UnprocessableEntity',
          because: 'two metrics, or two groupings, have the same name',
        })
      }
    },
  },
  {
    clause: 'P302',
    title: 'the least and the greatest value, and the number of different ones, are those of the objects',
    run: async (subject) => {
      await requireAggregates(subject)
      const { objects, filter } = chosenObjects(subject)
      for (const property of [subject.type.key, ...aggregable(subject)]) {
        const { name: field, scalar } = property
        if (scalar === undefined || scalar === 'boolean') continue
        const values = valuesOf(objects, property).toSorted((a, b) => compareValues(scalar, a, b))
        if (values.length === 0) continue
        const aggregation = ['min', 'max', 'exactDistinct'].map((type) => ({ type, field }))
        const found = await aggregateOf(subject, 'P302', { filter, aggregation })
        demandMetrics(found, 'P302', [values[0], values.at(-1), new Set(values).size])
      }
    },
  },
  {
    clause: 'P303',
    title: 'a sum is exact, and an average is the double that is nearest to it',
    run: async (subject) => {
      await requireAggregates(subject)
      const { objects, filter } = chosenObjects(subject)
      const properties = aggregable(subject).filter(({ scalar }) => numeric.some((each) => each === scalar))
      let tried = 0
      for (const property of properties) {
        const { name: field, scalar } = property
        const values = valuesOf(objects, property)
        if (values.length === 0) continue
        tried += 1
        const aggregation = ['sum', 'avg'].map((type) => ({ type, field }))
        const [sum, average] = metricsOf(await aggregateOf(subject, 'P303', { filter, aggregation }))
        const exact = exactSum(values)
        const expected = scalar === 'integer' || scalar === 'double' ? Number(exact) : exact
        demand(sum === expected && average === exactAverage(values), {
          clause: 'P303',
          expected: `the sum ${shown(expected)} and the average ${exactAverage(values)} of ${field}`,
          found: `${shown(sum)} and ${shown(average)}`,
        })
      }
      if (tried === 0) skip('needs a searchable or sortable property that is a number')
    },
  },
  {
    clause: 'P304',
    title: 'of no values, counts and sums are 0, and the least value and the average are absent',
    run: async (subject) => {
      await requireAggregates(subject)
      const { name: field } = propertyOf(subject, numeric)
      const values = [await unusedKey(subject)]
      const none = { kind: 'anyOf', property: subject.type.key.name, values } as const
      const types = ['exactDistinct', 'min', 'max', 'avg']
      const aggregation = [count, ...types.map((type) => ({ type, field }))]
      const found = await aggregateOf(subject, 'P304', { filter: none, aggregation })
      demandMetrics(found, 'P304', [0, 0, undefined, undefined, undefined])
    },
  },
  {
    clause: 'P305',
    title: 'a metric or a grouping that does not fit the type of the property is refused',
    run: async (subject) => {
      await requireAggregates(subject)
      const { name: field } = propertyOf(subject, ['string'])
      const refused = {
        clause: 'P305',
        name: 'AggregationMetricNotSupported',
        because: `${field} is a string`,
      } as const
      await demandRefused(subject, { aggregation: [{ type: 'sum', field }] }, refused)
      const groupBy = [{ type: 'fixedWidth', field, fixedWidth: 10 }]
      await demandRefused(subject, { aggregation: [count], groupBy }, refused)
    },
  },
  {
    clause: 'P306',
    title: 'a property that is neither searchable nor sortable is refused',
    run: async (subject) => {
      await requireAggregates(subject)
      const { properties, key } = subject.type
      const other = properties.find(
        ({ name, scalar, searchable, sortable }) =>
          name !== key.name && scalar !== undefined && !searchable && !sortable,
      )
      if (other === undefined) skip('needs a property that is neither searchable nor sortable')
      const aggregation = [{ type: 'exactDistinct', field: other.name }]
      const { filter } = chosenObjects(subject)
      await demandRefused(
        subject,
        { filter, aggregation },
        { clause: 'P306', name: 'PropertiesNotSearchable', because: `${other.name} is neither` },
      )
    },
  },
  {
    clause: 'P313',
    title: 'an aggregate with a snapshot token is of the state that it names',
    run: async (subject) => {
      await requireAggregates(subject)
      await requireSnapshotTokens(subject)
      const { token: snapshotToken, version } = await takeSnapshot(subject, 'P241')
      const { objects, filter } = chosenObjects(subject)
      const aggregated = await aggregateOf(subject, 'P313', { filter, snapshotToken, aggregation: [count] })
      demandMetrics(aggregated, 'P313', [objects.length])
      demand(aggregated.version === version, {
        clause: 'P313',
        expected: `version "${version}"`,
        exchange: aggregated.exchange,
      })
      const { collection, send } = subject
      for (const made of madeUp) {
        const ask = { aggregation: [count], snapshotToken: made }
        demandRefusal(await send(aggregateRequest(collection, ask)), {
          clause: 'P242',
          name: 'InvalidSnapshotToken',
          parameters: { reason: 'malformed' },
          because: 'the server did not make this token',
        })
      }
    },
  },
  {
    clause: 'P316',
    title: 'distinct values are counted exactly under both names',
    run: async (subject) => {
      await requireAggregates(subject)
      const { objects, filter } = chosenObjects(subject)
      const field = subject.type.key.name
      const aggregation = ['exactDistinct', 'approximateDistinct'].map((type) => ({ type, field }))
      const aggregated = await aggregateOf(subject, 'P316', { filter, aggregation })
      demandMetrics(aggregated, 'P316', [objects.length, objects.length])
    },
  },
  {
    clause: 'P318',
    title: 'too many metrics, groupings and ranges are refused',
    run: async (subject) => {
      await requireAggregates(subject)
      const { metrics, groupings, durationUnits } = limits.aggregate
      const field = subject.type.key.name
      const names = (most: number) => Array.from({ length: most + 1 }, (_, i) => `m${i}`)
      for (const ask of [
        { aggregation: [] },
        { aggregation: names(metrics).map((name) => ({ ...count, name })) },
        { aggregation: [count], groupBy: names(groupings).map((name) => ({ type: 'exact', field: name })) },
        {
          aggregation: [count],
          groupBy: [{ type: 'duration', field, value: durationUnits + 1, unit: 'DAYS' }],
        },
      ]) {
        await demandRefused(subject, ask, {
          clause: 'P318',
          name: 'Conjure:UnprocessableEntity',
          because: 'there are too many',
        })
      }
    },
  },
]
