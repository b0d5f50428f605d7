// More requests than can be served, one caller that wants everything, idle and slow connections. The short form has the same points in
// less time, with bounds that a busy machine keeps too.
import { inLongForm, within, type Points } from './harness/prove.ts'
import { proveFairness } from './overload/greedy-caller.ts'
import { proveHeldConnections } from './overload/held-connections.ts'
import { proveOverload } from './overload/overload.ts'
import { withServedCallers, type ServedCallers } from './overload/served-callers.ts'

export const points: Points = within<ServedCallers>(
  // The slower the database, the less of the machine is needed for five times its capacity.
  (work, { short }) => withServedCallers(short ? 100 : 30, work),
  {
    distant: (proof, served) => proveOverload(proof, served, 'distant'),
    fairness: proveFairness,
    'held-connections': proveHeldConnections,
    // Everything shares the same cores here, including the clients: little is asserted, and the figures are printed.
    near: inLongForm((proof, served) => proveOverload(proof, served, 'near')),
  },
)
