import { correctSteps } from '../model-server/steps.ts'
import type { BrokenServer } from './broken-server.ts'

export const morePartsThanAsked: BrokenServer = {
  name: 'more-parts-than-asked',
  mistake: 'divides by the number of parts, and puts what is left over into one part more',
  clause: 'P253',
  revision: '2.0',
  steps: () => ({
    splitEnds: (state, parts, ask, store) => correctSteps.splitEnds(state, parts + 1, ask, store),
  }),
}
