// `npm run prove:search`: every query finds what a plain search finds, a page costs what its own rows cost, no input reaches
// the text of a statement, refusals are quick, and a search that takes too long can be continued. The short form is smaller, and leaves
// out the points that are tests.

import { proveBudget } from './prove-search/budget.ts'
import { proveCosts } from './prove-search/costs.ts'
import { proveInjection } from './prove-search/injection.ts'
import { proveOracle } from './prove-search/oracle.ts'
import { proveRefusals } from './prove-search/refusals.ts'
import { prove } from './prove.ts'

await prove('search', async (proof) => {
  await proveInjection(proof)
  await proveRefusals(proof)
  await proveBudget(proof)
  if (proof.short) return
  await proveOracle(proof)
  await proveCosts(proof)
})
