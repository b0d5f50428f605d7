import { limits } from '@octavo/protocol'
import type { BrokenServer } from './broken-server.ts'

export const limitLooksLikeTheEnd: BrokenServer = {
  name: 'limit-looks-like-the-end',
  mistake: 'leaves the token out at the limit, so a client believes that it has everything',
  clause: 'P71',
  revision: '1.0',
  objects: 10_050,
  steps: () => ({
    tokenField: ({ hasMore, returned }, seal) =>
      hasMore && returned < limits.walk.listObjects ? seal() : undefined,
  }),
}
