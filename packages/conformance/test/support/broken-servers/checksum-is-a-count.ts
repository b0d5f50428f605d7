import type { BrokenServer } from './broken-server.ts'

export const checksumIsACount: BrokenServer = {
  name: 'checksum-is-a-count',
  mistake: 'sends the number of objects as their checksum',
  clause: 'P250',
  also: ['P252', 'P272'],
  revision: '2.0',
  steps: () => ({
    checksumOf: (state) => state.size.toString(16).padStart(16, '0'),
  }),
}
