import type { BrokenServer } from './broken-server.ts'

export const streamWithoutItsEnd: BrokenServer = {
  name: 'stream-without-its-end',
  mistake: 'ends a stream after its last record, so that a stream that was cut off looks the same',
  clause: 'P261',
  also: ['P263'],
  revision: '2.0',
  steps: () => ({
    endLine: () => undefined,
  }),
}
