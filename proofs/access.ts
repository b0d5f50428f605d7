// Who is admitted, what they see, how fast access ends, and what it costs.
import { proveCost } from './access/cost.ts'
import { proveRevocation } from './access/revocation.ts'
import { inLongForm, type Points } from './harness/prove.ts'

export const points: Points = {
  cost: proveCost,
  revocation: inLongForm(proveRevocation),
}
