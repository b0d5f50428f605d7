// `npm run prove:access`: who is admitted, what they see, how fast access ends, and what it costs. The short form
// leaves out the points that are tests.

import { provePolicies } from './prove-access/policies.ts'
import { proveCost } from './prove-access/cost.ts'
import { proveRevocation } from './prove-access/revocation.ts'
import { proveTests } from './prove-access/tests.ts'
import { prove } from './prove.ts'

await prove('access', async (proof) => {
  await proveCost(proof)
  if (proof.short) return
  await proveTests(proof)
  await proveRevocation(proof)
  await provePolicies(proof)
})
