import type { BrokenServer } from './broken-server.ts'

export const streamTokenOneLate: BrokenServer = {
  name: 'stream-token-one-late',
  mistake: 'seals the page token of a stream after it has looked one object ahead',
  clause: 'P263',
  revision: '2.0',
  steps: () => ({
    streamToken: (pageToken, after) => after(1) ?? pageToken,
  }),
}
