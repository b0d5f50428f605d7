import type { ModelWalk } from '../model-server/model-token.ts'
import type { BrokenServer } from './broken-server.ts'

export const badTokenFailsInside: BrokenServer = {
  name: 'bad-token-fails-inside',
  mistake: 'trusts that a token can be read, and fails with an internal error when it cannot',
  clause: 'P11',
  also: ['P110', 'P262'],
  steps: () => ({
    openToken: (token, box) => {
      const walk = box.open(String(token)) as ModelWalk | undefined
      if (walk === undefined) throw new Error('Unexpected end of JSON input')
      return walk
    },
  }),
}
