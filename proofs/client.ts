// The client never loses an object in silence, continues in another process, and costs little.
import { proveRate } from './client/rate.ts'
import { proveResumesElsewhere } from './client/resumes-elsewhere.ts'
import { proveWalksThroughChaos } from './client/walks-through-chaos.ts'
import type { Points } from './harness/prove.ts'

export const points: Points = {
  chaos: (proof) => proveWalksThroughChaos(proof),
  resume: proveResumesElsewhere,
  rate: proveRate,
}
