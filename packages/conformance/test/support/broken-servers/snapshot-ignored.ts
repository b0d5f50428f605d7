import { correctSteps } from '../model-server/steps.ts'
import type { BrokenServer } from './broken-server.ts'

export const snapshotIgnored: BrokenServer = {
  name: 'snapshot-ignored',
  mistake: 'takes the parameter snapshot and does nothing with it',
  clause: 'P35',
  also: ['P36', 'P68', 'P150', 'P240', 'P243', 'P245', 'P255', 'P263', 'P283', 'P284'],
  steps: () => ({
    stateFor: (store, ask) => correctSteps.stateFor(store, { ...ask, snapshot: false }, undefined),
  }),
}
