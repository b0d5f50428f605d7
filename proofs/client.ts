// The client never loses an object in silence, continues in another process, and costs little; the conformance kit passes on the service
// and catches broken servers.
import { proveKitNamesTheClause } from './client/kit-names-the-clause.ts'
import { proveKitPassesOnOctavo } from './client/kit-passes-on-octavo.ts'
import { proveRate } from './client/rate.ts'
import { proveResumesElsewhere } from './client/resumes-elsewhere.ts'
import { proveWalksThroughChaos } from './client/walks-through-chaos.ts'
import { inLongForm, type Points } from './harness/prove.ts'

export const points: Points = {
  chaos: (proof) => proveWalksThroughChaos(proof),
  resume: proveResumesElsewhere,
  rate: proveRate,
  clauses: proveKitNamesTheClause,
  kit: inLongForm(proveKitPassesOnOctavo),
}
