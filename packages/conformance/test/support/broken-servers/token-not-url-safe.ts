import { correctSteps } from '../model-server/steps.ts'
import type { BrokenServer } from './broken-server.ts'

export const tokenNotUrlSafe: BrokenServer = {
  name: 'token-not-url-safe',
  mistake: 'writes tokens in plain base64, whose signs mean something else in a URL',
  clause: 'P10',
  steps: () => ({
    tokenField: ({ hasMore }, seal) => (hasMore ? `${seal()}==` : undefined),
    openToken: (token, box) => correctSteps.openToken(String(token).replace(/==$/, ''), box),
  }),
}
