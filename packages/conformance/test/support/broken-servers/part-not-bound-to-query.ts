import { correctSteps } from '../model-server/steps.ts'
import type { BrokenServer } from './broken-server.ts'

export const partNotBoundToQuery: BrokenServer = {
  name: 'part-not-bound-to-query',
  mistake: 'takes the token of a part with any request, and reads what that request asks for',
  clause: 'P254',
  also: ['P256'],
  revision: '2.0',
  steps: () => ({
    checkWalk: (walk, ask, caller) => {
      if (walk.part === undefined) correctSteps.checkWalk(walk, ask, caller)
    },
  }),
}
