import type { BrokenServer } from './broken-server.ts'

export const aggregateCutSilently: BrokenServer = {
  name: 'aggregate-cut-silently',
  mistake: 'stops reading at a limit and answers with the numbers of what it has read',
  clause: 'P314',
  also: ['P315'],
  steps: () => ({
    aggregatedObjects: (objects) => objects.slice(0, 50),
  }),
}
