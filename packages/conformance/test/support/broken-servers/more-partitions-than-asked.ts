import { correctSteps } from '../model-server/steps.ts'
import type { BrokenServer } from './broken-server.ts'

export const morePartitionsThanAsked: BrokenServer = {
  name: 'more-partitions-than-asked',
  mistake: 'divides by the number of partitions, and puts what is left over into one partition more',
  clause: 'P253',
  revision: '2.0',
  steps: () => ({
    splitEnds: (state, partitionCount, ask, store) =>
      correctSteps.splitEnds(state, partitionCount + 1, ask, store),
  }),
}
