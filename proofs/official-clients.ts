// The clients of the API family, as published, read what the service holds: every call, the same objects as our own client, exactly under
// writers, through restarts, and at the cost of the other revisions. So do agents. The short form has the same points with fewer objects
// and repetitions.
import { within, type Points } from './harness/prove.ts'
import { withServedCollection } from './harness/with-store.ts'
import { proveAgents } from './official-clients/agents.ts'
import { proveAsyncIter } from './official-clients/async-iter.ts'
import { proveMatrix } from './official-clients/matrix.ts'
import { proveRate } from './official-clients/rate.ts'
import { proveRestarts } from './official-clients/restarts.ts'
import { proveSameObjects } from './official-clients/same-objects.ts'

export const points: Points = {
  ...within((work) => withServedCollection(work), {
    matrix: proveMatrix,
    'same-objects': proveSameObjects,
    'async-iter': proveAsyncIter,
    agents: proveAgents,
    rate: proveRate,
  }),
  restarts: proveRestarts,
}
