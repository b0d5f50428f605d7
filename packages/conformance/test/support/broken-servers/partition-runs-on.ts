import { correctSteps } from '../model-server/steps.ts'
import type { BrokenServer } from './broken-server.ts'

export const partitionRunsOn: BrokenServer = {
  name: 'partition-runs-on',
  mistake: 'forgets where a partition ends after its first page, and reads on to the end of the collection',
  clause: 'P255',
  also: ['P256'],
  revision: '2.0',
  steps: () => ({
    openToken: (token, box) => {
      const walk = correctSteps.openToken(token, box)
      return walk?.partition !== undefined && walk.returned > 0 ? { ...walk, partition: {} } : walk
    },
  }),
}
