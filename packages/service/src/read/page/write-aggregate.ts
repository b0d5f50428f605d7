import type { Aggregate } from '@octavo/protocol'
import { mapInTurns } from '../../base/map-in-turns.ts'
import type { AggregatePlan } from '../plan/aggregate-plan.ts'
import type { AggregateRows } from '../rows/numbers/group-row.ts'

export const writeAggregate = async (
  { groupings, metrics }: AggregatePlan,
  { version, groups, excluded }: AggregateRows,
): Promise<Aggregate> => ({
  data: await mapInTurns(groups, (row) => ({
    group: Object.fromEntries(groupings.map(({ by }, i) => [by.field, row.values[i] ?? null])),
    metrics: metrics.map(({ name }, i) => {
      const value = row.metrics[i]
      return value === undefined ? { name } : { name, value }
    }),
  })),
  ...(excluded > 0 && { excludedItems: excluded }),
  version,
})
