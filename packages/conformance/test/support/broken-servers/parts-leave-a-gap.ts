import { idOf } from '../model-server/model-data.ts'
import { correctSteps } from '../model-server/steps.ts'
import type { BrokenServer } from './broken-server.ts'

export const partsLeaveAGap: BrokenServer = {
  name: 'parts-leave-a-gap',
  mistake: 'ends a part before the object after which the next part begins',
  clause: 'P255',
  also: ['P256'],
  revision: '2.0',
  steps: () => ({
    withinPart: (rest, end) => correctSteps.withinPart(rest, end).filter((object) => idOf(object) !== end),
  }),
}
