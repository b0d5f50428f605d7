import { correctSteps } from '../model-server/steps.ts'
import type { BrokenServer } from './broken-server.ts'

export const partitionsOverlap: BrokenServer = {
  name: 'partitions-overlap',
  mistake: 'begins a partition with the object with which the partition before it ends',
  clause: 'P255',
  also: ['P256'],
  revision: '2.0',
  steps: () => ({
    restAfter: (sorted, ask, walk, compare) =>
      walk.partition !== undefined && walk.returned === 0
        ? sorted.filter((object) => compare(ask, object, walk.last) >= 0)
        : correctSteps.restAfter(sorted, ask, walk, compare),
  }),
}
