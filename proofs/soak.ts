// Hours of mixed load leave memory, connections, history and tables as large as they were. `--minutes` is the length of the long form;
// the short form takes three.
import type { Points } from './harness/prove.ts'
import { proveStaysFlat } from './soak/stays-flat.ts'

export const points: Points = { flat: proveStaysFlat }

export const options = { minutes: { type: 'string', default: '120' } } as const
