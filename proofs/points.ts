// A snapshot token names one state of several types, a checksum proves what was read in it, partitions share it among readers, and a
// stream is all of it. The short form has the same points with fewer repetitions.
import type { Points } from './harness/prove.ts'
import { proveChecksums } from './points/checksums.ts'
import { proveClientCpu } from './points/client-cpu.ts'
import { proveLargePartitions } from './points/large-partitions.ts'
import { proveOneState } from './points/one-state.ts'
import { provePartitions } from './points/partitions.ts'
import { proveStreams } from './points/streams.ts'

export const points: Points = {
  'one-state': proveOneState,
  checksums: proveChecksums,
  partitions: provePartitions,
  'large-partitions': proveLargePartitions,
  streams: proveStreams,
  'client-cpu': proveClientCpu,
}
