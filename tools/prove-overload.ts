// `npm run prove:overload`: more requests than can be served, one caller that wants everything, idle and slow connections.
// The short form has the same points in less time, with bounds that a busy machine keeps too.

import { proveFairness } from './prove-overload/greedy-caller.ts'
import { proveHeldConnections } from './prove-overload/held-connections.ts'
import { proveOverload } from './prove-overload/overload.ts'
import { withServedCallers } from './prove-overload/served-callers.ts'
import { prove } from './prove.ts'

await prove('overload', (proof) =>
  // The slower the database, the less of the machine is needed for five times its capacity.
  withServedCallers(proof.short ? 100 : 30, async (served) => {
    await proveOverload(proof, served, 'distant')
    await proveFairness(proof, served)
    await proveHeldConnections(proof, served)
    // Everything shares the same cores here, including the clients: little is asserted, and the figures are printed.
    if (!proof.short) await proveOverload(proof, served, 'near')
  }),
)
