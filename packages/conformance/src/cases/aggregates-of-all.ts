// What costs the same for any number of objects: how many there are, and the ends of an order.
import type { ScalarType, ScalarValue } from '@octavo/protocol'
import type { Case } from './case.ts'
import { aggregable, aggregateOf, count, demandMetrics, requireAggregates } from '../subject/ask-aggregate.ts'
import { compareValues } from '../subject/compare-values.ts'
import { countOf, requireCount } from '../subject/count-of.ts'
import { readPage } from '../subject/read-page.ts'
import type { Subject } from '../subject/subject.ts'
import { scalarOf } from '../subject/wire-page.ts'

/** The least and the greatest value of the objects that can be read. */
async function endsOf(
  subject: Subject,
  property: string,
  scalar: ScalarType,
): Promise<readonly (ScalarValue | undefined)[]> {
  if (subject.isWhole) {
    const values = subject.sample.flatMap((object) => scalarOf(object, property) ?? [])
    const sorted = values.toSorted((a, b) => compareValues(scalar, a, b))
    return [sorted[0], sorted.at(-1)]
  }
  // Objects without a value come last in both directions (P40), so the first of each order is an end.
  const ends = (['asc', 'desc'] as const).map(async (direction) => {
    const ask = { pageSize: 1, orderBy: [{ property, direction }] }
    const [first] = (await readPage(subject, 'P42', ask)).page.data
    return first && scalarOf(first, property)
  })
  return Promise.all(ends)
}

export const aggregatesOfAll: readonly Case[] = [
  {
    clause: 'P315',
    title: 'all objects are counted, however many there are',
    run: async (subject) => {
      await requireAggregates(subject)
      await requireCount(subject)
      const { total } = await countOf(subject)
      demandMetrics(await aggregateOf(subject, 'P315', { aggregation: [count] }), 'P315', [total])
    },
  },
  {
    clause: 'P317',
    title: 'the least and the greatest values are those of objects that the caller can read',
    run: async (subject) => {
      await requireAggregates(subject)
      const { key } = subject.type
      const sortable = aggregable(subject).filter((each) => each.sortable && each.scalar !== 'boolean')
      for (const { name: field, scalar } of [key, ...sortable]) {
        const values = await endsOf(subject, field, scalar ?? 'string')
        if (values.includes(undefined) || scalar === 'decimal') continue
        const aggregation = ['min', 'max'].map((type) => ({ type, field }))
        demandMetrics(await aggregateOf(subject, 'P315', { aggregation }), 'P317', values)
      }
    },
  },
]
