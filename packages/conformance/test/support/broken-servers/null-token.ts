import type { BrokenServer } from './broken-server.ts'

export const nullToken: BrokenServer = {
  name: 'null-token',
  mistake: 'sends "nextPageToken": null on the last page, which revision 2.0 does not know',
  clause: 'P4',
  revision: '2.0',
  steps: () => ({ tokenField: ({ hasMore }, seal) => (hasMore ? seal() : null) }),
}
