// A new contributor can start it. The long form runs all of CI in a fresh clone; the short form runs one claim there.
import type { Points } from './harness/prove.ts'
import { proveFreshClone } from './workspace/fresh-clone-works.ts'

export const points: Points = { 'fresh-clone': proveFreshClone }
