// What links lead to and what aggregates tell is what plain computations in memory say, in one state and under all policies, and costs
// what it touches.
import { inLongForm, type Points } from './harness/prove.ts'
import { proveAggregates } from './links/aggregates.ts'
import { proveLinksExact } from './links/exact.ts'
import { proveGroupedCounts } from './links/grouped-counts.ts'
import { proveSearchAround } from './links/search-around.ts'

export const points: Points = {
  exact: proveLinksExact,
  aggregates: proveAggregates,
  'grouped-counts': proveGroupedCounts,
  'search-around': inLongForm(proveSearchAround),
}
