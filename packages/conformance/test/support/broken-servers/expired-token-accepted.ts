import { correctSteps } from '../model-server/steps.ts'
import type { BrokenServer } from './broken-server.ts'

export const expiredTokenAccepted: BrokenServer = {
  name: 'expired-token-accepted',
  mistake: 'never looks at the age of a token',
  clause: 'P12',
  steps: () => ({
    checkWalk: (walk, ask, caller) => correctSteps.checkWalk({ ...walk, issuedAt: Date.now() }, ask, caller),
  }),
}
