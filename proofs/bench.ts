// Measurements without assertions: each point is run by its name.
import { measureCompression } from './bench/compression.ts'
import { measureLoads } from './bench/bulk-load.ts'
import { whenNamed, type Points } from './harness/prove.ts'

export const points: Points = {
  load: whenNamed(measureLoads),
  compression: whenNamed(measureCompression),
}

export const options = { objects: { type: 'string' }, rounds: { type: 'string' } } as const
