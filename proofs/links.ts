// Aggregates equal a plain computation in memory, in one state and under all policies; following links and counting cost
// what they touch.
import { inLongForm, type Points } from './harness/prove.ts'
import { proveAggregates } from './links/aggregates.ts'
import { proveGroupedCounts } from './links/grouped-counts.ts'
import { proveSearchAround } from './links/search-around.ts'

export const points: Points = {
  aggregates: proveAggregates,
  'grouped-counts': proveGroupedCounts,
  'search-around': inLongForm(proveSearchAround),
}
