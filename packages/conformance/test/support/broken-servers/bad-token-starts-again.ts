import type { ModelWalk } from '../model-server/model-token.ts'
import type { BrokenServer } from './broken-server.ts'

export const badTokenStartsAgain: BrokenServer = {
  name: 'bad-token-starts-again',
  mistake: 'answers a token that it cannot read with the first page, so a client walks in circles',
  clause: 'P11',
  also: ['P102', 'P103', 'P104', 'P105', 'P110', 'P262'],
  steps: () => ({
    openToken: (token, box) => box.open(String(token)) as ModelWalk | undefined,
  }),
}
