// `npm run prove:access`: who is admitted, what they see, how fast access ends, and what it costs. The short form has
// fewer repetitions, and leaves the points that are tests to `npm test`.

import { provePolicies } from './prove-access/policies.ts'
import { proveCost } from './prove-access/cost.ts'
import { proveRevocation } from './prove-access/revocation.ts'
import { proveTests } from './prove-access/tests.ts'
import { prove } from './prove.ts'

await prove('access', async (proof) => {
  await proveTests(proof)
  await proveRevocation(proof)
  await proveCost(proof)
  await provePolicies(proof)
})
