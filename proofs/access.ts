// Who is admitted, what they see, how fast access ends, and what it costs.
import { proveCost } from './access/cost.ts'
import { provePolicies } from './access/policies.ts'
import { proveRevocation } from './access/revocation.ts'
import { proveTests } from './access/tests.ts'
import { inLongForm, type Points } from './harness/prove.ts'

export const points: Points = {
  cost: proveCost,
  tests: inLongForm(proveTests),
  revocation: inLongForm(proveRevocation),
  policies: inLongForm(provePolicies),
}
