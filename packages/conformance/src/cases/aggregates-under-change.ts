// Aggregates of states that the kit has written.
import type { Case } from './case.ts'
import { aggregateOf, count, demandMetrics, requireAggregates } from '../subject/ask-aggregate.ts'
import { withOwnObjects } from '../subject/own-objects.ts'
import { requireSnapshotTokens, takeSnapshot } from '../subject/take-snapshot.ts'

export const aggregatesUnderChange: readonly Case[] = [
  {
    clause: 'P313',
    title: 'an aggregate of an earlier state is what it was then, and one of the latest is what it is now',
    writes: true,
    run: async (subject) => {
      await requireAggregates(subject)
      await requireSnapshotTokens(subject)
      await withOwnObjects(subject, async (own) => {
        const aggregation = [count, { type: 'max', field: subject.type.key.name }]
        const ask = { filter: own.filter, aggregation }
        await own.setTo([0, 1, 2, 3], 1)
        const { token: snapshotToken } = await takeSnapshot(subject, 'P241')
        await own.setTo([3], undefined)
        await own.setTo([2], 2)
        const before = await aggregateOf(subject, 'P313', { ...ask, snapshotToken })
        demandMetrics(before, 'P313', [4, own.keyAt(3)])
        demandMetrics(await aggregateOf(subject, 'P313', ask), 'P313', [3, own.keyAt(2)])
      })
    },
  },
]
