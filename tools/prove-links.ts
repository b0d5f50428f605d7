// `npm run prove:links`: what links lead to and what aggregates tell is what plain computations in memory say, in one state and under
// all policies, and costs what it touches. The short form is smaller, and leaves out the points that are tests.
import { proveAggregates } from './prove-links/aggregates.ts'
import { proveGroupedCounts } from './prove-links/grouped-counts.ts'
import { proveLinksExact } from './prove-links/exact.ts'
import { proveSearchAround } from './prove-links/search-around.ts'
import { prove } from './prove.ts'

await prove('links', async (proof) => {
  await proveLinksExact(proof)
  await proveAggregates(proof)
  await proveGroupedCounts(proof)
  if (!proof.short) await proveSearchAround(proof)
})
