import { correctSteps } from '../model-server/steps.ts'
import type { BrokenServer } from './broken-server.ts'

export const partRunsOn: BrokenServer = {
  name: 'part-runs-on',
  mistake: 'forgets where a part ends after its first page, and reads on to the end of the collection',
  clause: 'P255',
  also: ['P256'],
  revision: '2.0',
  steps: () => ({
    openToken: (token, box) => {
      const walk = correctSteps.openToken(token, box)
      return walk?.part !== undefined && walk.returned > 0 ? { ...walk, part: {} } : walk
    },
  }),
}
