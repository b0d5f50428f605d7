import type { BrokenServer } from './broken-server.ts'

export const bodyOfAGetIgnored: BrokenServer = {
  name: 'body-of-a-get-ignored',
  mistake: 'ignores the body of a GET, so that a filter that a client has put there filters nothing',
  clause: 'P407',
  steps: () => ({ refuseBody: () => {} }),
}
