// `npm run prove:official-clients`: the clients of the API family, as published, read what the service holds: every call, the same
// objects as our own client, exactly under writers, through restarts, and at the cost of the other revisions. So do agents. The short
// form has the same points with fewer objects and repetitions.
import { proveAgents } from './prove-official-clients/agents.ts'
import { proveAsyncIter } from './prove-official-clients/async-iter.ts'
import { proveMatrix } from './prove-official-clients/matrix.ts'
import { proveRate } from './prove-official-clients/rate.ts'
import { proveRestarts } from './prove-official-clients/restarts.ts'
import { proveSameObjects } from './prove-official-clients/same-objects.ts'
import { withServedCollection } from './prove-client/served-collection.ts'
import { prove } from './prove.ts'

await prove('official-clients', async (proof) => {
  await withServedCollection(async (served) => {
    await proveMatrix(proof, served)
    await proveSameObjects(proof, served)
    await proveAsyncIter(proof, served)
    await proveAgents(proof, served)
    await proveRate(proof, served)
  })
  await proveRestarts(proof)
})
