import type { Aggregate } from '@octavo/protocol'
import type { AggregatePlan } from '../plan/aggregate-plan.ts'
import type { AggregateRows } from '../rows/aggregate-rows.ts'

export const writeAggregate = (
  { groupings, metrics }: AggregatePlan,
  { version, groups, excluded }: AggregateRows,
): Aggregate => ({
  accuracy: 'ACCURATE',
  data: groups.map((row) => ({
    group: Object.fromEntries(groupings.map(({ by }, i) => [by.field, row.values[i] ?? null])),
    metrics: metrics.map(({ name }, i) => {
      const value = row.metrics[i]
      return value === undefined ? { name } : { name, value }
    }),
  })),
  ...(excluded > 0 && { excludedItems: excluded }),
  snapshotVersion: version,
})
