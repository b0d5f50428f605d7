import { refuse } from '../model-server/model-refusal.ts'
import { correctSteps } from '../model-server/steps.ts'
import type { BrokenServer } from './broken-server.ts'

export const tokenUsedOnce: BrokenServer = {
  name: 'token-used-once',
  mistake: 'keeps a reader on the server, which a token moves on: a request that is sent again is refused',
  clause: 'P15',
  also: ['P13', 'P14', 'P25', 'P26', 'P115', 'P180', 'P244', 'P254', 'P256', 'P263', 'P278'],
  steps: () => {
    const used = new Set<unknown>()
    return {
      openToken: (token, box) => {
        if (used.has(token)) refuse('InvalidPageToken', { reason: 'malformed' })
        used.add(token)
        return correctSteps.openToken(token, box)
      },
    }
  },
}
