import { limits } from '@octavo/protocol'
import { correctSteps } from '../model-server/steps.ts'
import type { BrokenServer } from './broken-server.ts'

export const pagePastTheLimit: BrokenServer = {
  name: 'page-past-the-limit',
  mistake: 'looks at the limit only before a page, which then goes past it',
  clause: 'P70',
  revision: '1.0',
  objects: 10_950,
  steps: () => ({
    roomFor: (ask, returned) => {
      correctSteps.roomFor(ask, returned)
      return limits.page.listMaximum
    },
  }),
}
