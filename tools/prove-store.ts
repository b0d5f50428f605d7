// `npm run prove:store`: a snapshot walk is exact under load, a crash loses nothing, depth costs nothing, and writes are
// fast. The short form is smaller, and leaves out the points that are tests.

import { proveCrashes } from './prove-store/crash.ts'
import { proveExactness } from './prove-store/exactness.ts'
import { proveHotObjects } from './prove-store/hot-objects.ts'
import { provePlans } from './prove-store/plans.ts'
import { proveRates } from './prove-store/rates.ts'
import { prove } from './prove.ts'

await prove('store', async (proof) => {
  await proveExactness(proof)
  await proveCrashes(proof)
  await proveRates(proof)
  if (proof.short) return
  await provePlans(proof)
  await proveHotObjects(proof)
})
