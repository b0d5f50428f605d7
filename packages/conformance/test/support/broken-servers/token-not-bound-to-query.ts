import { identityOf } from '../model-server/model-ask.ts'
import { correctSteps } from '../model-server/steps.ts'
import type { BrokenServer } from './broken-server.ts'

export const tokenNotBoundToQuery: BrokenServer = {
  name: 'token-not-bound-to-query',
  mistake: 'takes a token with any request, and goes on in another collection',
  clause: 'P25',
  also: ['P24', 'P26', 'P244', 'P254'],
  steps: () => ({
    checkWalk: (walk, ask, caller) =>
      correctSteps.checkWalk({ ...walk, identity: identityOf(ask) }, ask, caller),
  }),
}
