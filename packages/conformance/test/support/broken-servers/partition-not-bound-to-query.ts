import { correctSteps } from '../model-server/steps.ts'
import type { BrokenServer } from './broken-server.ts'

export const partitionNotBoundToQuery: BrokenServer = {
  name: 'partition-not-bound-to-query',
  mistake: 'takes the token of a partition with any request, and reads what that request asks for',
  clause: 'P254',
  also: ['P256'],
  revision: '2.0',
  steps: () => ({
    checkWalk: (walk, ask, caller) => {
      if (walk.partition === undefined) correctSteps.checkWalk(walk, ask, caller)
    },
  }),
}
