import { limits } from '@octavo/protocol'
import type { BrokenServer } from './broken-server.ts'

export const searchWithALimit: BrokenServer = {
  name: 'search-with-a-limit',
  mistake: 'ends a search after 10,000 objects, as the engine behind it does',
  clause: 'P82',
  revision: '2.0',
  objects: 10_050,
  steps: () => ({
    tokenField: ({ hasMore, returned }, seal) =>
      hasMore && returned < limits.walk.listObjects ? seal() : undefined,
  }),
}
