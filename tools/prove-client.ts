// `npm run prove:client`: the client never loses an object in silence, continues in another process, and costs little; the
// conformance kit passes on the service and catches broken servers. The short form is smaller, and leaves out the points that are tests.

import { proveKitNamesTheClause } from './prove-client/kit-names-the-clause.ts'
import { proveKitPassesOnOctavo } from './prove-client/kit-passes-on-octavo.ts'
import { proveRate } from './prove-client/rate.ts'
import { proveResumesElsewhere } from './prove-client/resumes-elsewhere.ts'
import { proveWalksThroughChaos } from './prove-client/walks-through-chaos.ts'
import { prove } from './prove.ts'

await prove('client', async (proof) => {
  await proveWalksThroughChaos(proof)
  await proveResumesElsewhere(proof)
  await proveRate(proof)
  await proveKitNamesTheClause(proof)
  if (!proof.short) await proveKitPassesOnOctavo(proof)
})
