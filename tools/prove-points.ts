// `npm run prove:points`: a snapshot token names one state of several types, a checksum proves what was read in it, partitions share it
// among readers, and a stream is all of it. The short form has the same points with fewer repetitions.

import { proveChecksums } from './prove-points/checksums.ts'
import { proveClientCpu } from './prove-points/client-cpu.ts'
import { proveLargePartitions } from './prove-points/large-partitions.ts'
import { proveOneState } from './prove-points/one-state.ts'
import { provePartitions } from './prove-points/partitions.ts'
import { proveStreams } from './prove-points/streams.ts'
import { prove } from './prove.ts'

await prove('points', async (proof) => {
  await proveOneState(proof)
  await proveChecksums(proof)
  await provePartitions(proof)
  await proveLargePartitions(proof)
  await proveStreams(proof)
  await proveClientCpu(proof)
})
