import type { BrokenServer } from './broken-server.ts'

export const streamCountsLines: BrokenServer = {
  name: 'stream-counts-lines',
  mistake: 'counts the lines of a stream, not its objects',
  clause: 'P261',
  also: ['P263'],
  revision: '2.0',
  steps: () => ({
    endLine: (end, lines) => ({ ...end, objectCount: lines }),
  }),
}
