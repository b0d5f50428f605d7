import { setImmediate as breathe } from 'node:timers/promises'
import { correctSteps } from '../model-server/steps.ts'
import type { BrokenServer } from './broken-server.ts'

export const tornBatch: BrokenServer = {
  name: 'torn-batch',
  mistake: 'applies a batch line by line, so a page can show a part of it',
  clause: 'P37',
  also: ['P35', 'P245', 'P285'],
  steps: () => ({
    commit: async (store, lines) => {
      for (const line of lines) {
        await correctSteps.commit(store, [line])
        await breathe()
      }
    },
  }),
}
