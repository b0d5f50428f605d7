import { idOf } from '../model-server/model-data.ts'
import { correctSteps } from '../model-server/steps.ts'
import type { BrokenServer } from './broken-server.ts'

export const partitionsLeaveAGap: BrokenServer = {
  name: 'partitions-leave-a-gap',
  mistake: 'ends a partition before the object after which the next partition begins',
  clause: 'P255',
  also: ['P256'],
  revision: '2.0',
  steps: () => ({
    withinPartition: (rest, end) =>
      correctSteps.withinPartition(rest, end).filter((object) => idOf(object) !== end),
  }),
}
