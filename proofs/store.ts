// A snapshot walk is exact under load, a crash loses nothing, depth costs nothing, and writes are fast. The short form is smaller.
import { inLongForm, type Points } from './harness/prove.ts'
import { proveCrashes } from './store/crash.ts'
import { proveExactness } from './store/exactness.ts'
import { provePlans } from './store/plans.ts'
import { proveRates } from './store/rates.ts'

export const points: Points = {
  exactness: proveExactness,
  crash: proveCrashes,
  rates: proveRates,
  plans: inLongForm(provePlans),
}
