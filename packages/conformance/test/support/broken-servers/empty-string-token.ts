import type { BrokenServer } from './broken-server.ts'

export const emptyStringToken: BrokenServer = {
  name: 'empty-string-token',
  mistake: 'sends an empty nextPageToken on the last page, with which some clients walk for ever',
  clause: 'P2',
  steps: () => ({ tokenField: ({ hasMore }, seal) => (hasMore ? seal() : '') }),
}
