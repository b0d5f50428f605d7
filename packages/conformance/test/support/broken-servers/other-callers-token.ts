import { correctSteps } from '../model-server/steps.ts'
import type { BrokenServer } from './broken-server.ts'

export const otherCallersToken: BrokenServer = {
  name: 'other-callers-token',
  mistake: 'lets any caller go on with the walk of another',
  clause: 'P14',
  also: ['P256'],
  steps: () => ({
    checkWalk: (walk, ask, caller) => correctSteps.checkWalk({ ...walk, caller }, ask, caller),
  }),
}
