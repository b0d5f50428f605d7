// A page costs what its own rows cost, no input reaches the text of a statement, refusals
// are quick, and a search that takes too long can be continued. The short form is smaller.
import { inLongForm, type Points } from './harness/prove.ts'
import { proveBudget } from './search/budget.ts'
import { proveCosts } from './search/costs.ts'
import { proveInjection } from './search/injection.ts'
import { proveRefusals } from './search/refusals.ts'

export const points: Points = {
  injection: (proof) => proveInjection(proof),
  refusals: proveRefusals,
  budget: proveBudget,
  costs: inLongForm(proveCosts),
}
