import type { BrokenServer } from './broken-server.ts'

const mostObjects = 40

export const silentCap: BrokenServer = {
  name: 'silent-cap',
  mistake: 'stops a walk after a number of objects, and lets that look like the end',
  clause: 'P6',
  also: ['P2', 'P33', 'P35', 'P42', 'P250', 'P252', 'P255'],
  steps: () => ({
    tokenField: ({ hasMore, returned }, seal) => (hasMore && returned < mostObjects ? seal() : undefined),
  }),
}
