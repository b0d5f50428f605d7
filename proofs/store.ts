// Depth costs nothing, and writes are fast. The short form is smaller.
import { inLongForm, type Points } from './harness/prove.ts'
import { provePlans } from './store/plans.ts'
import { proveRates } from './store/rates.ts'

export const points: Points = { rates: proveRates, plans: inLongForm(provePlans) }
