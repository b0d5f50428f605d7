// `npm run prove:points`: a snapshot token names one state of several types, and a checksum proves what was read in it, at little cost.
// The short form has the same points with fewer repetitions.

import { proveChecksums } from './prove-points/checksums.ts'
import { proveClientCpu } from './prove-points/client-cpu.ts'
import { proveOneState } from './prove-points/one-state.ts'
import { prove } from './prove.ts'

await prove('points', async (proof) => {
  await proveOneState(proof)
  await proveChecksums(proof)
  await proveClientCpu(proof)
})
