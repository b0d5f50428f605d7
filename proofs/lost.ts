// What a walk misses, repeats and tears while others write, with Octavo and with what a team would use instead. The short form has fewer
// walks, and leaves out PostGraphile, which would have to be installed.
import type { Points } from './harness/prove.ts'
import { proveWhatIsLost } from './lost/what-is-lost.ts'

export const points: Points = { walks: proveWhatIsLost }

export const options = { walks: { type: 'string' }, out: { type: 'string' } } as const
