import { correctSteps } from '../model-server/steps.ts'
import type { BrokenServer } from './broken-server.ts'

export const partitionOfTheLatestState: BrokenServer = {
  name: 'partition-of-the-latest-state',
  mistake: 'reads a partition in the latest state, and not in the one that was split',
  clause: 'P255',
  revision: '2.0',
  steps: () => ({
    stateFor: (store, ask, walk) =>
      walk?.partition === undefined
        ? correctSteps.stateFor(store, ask, walk)
        : correctSteps.stateFor(store, { ...ask, snapshot: false }, undefined),
  }),
}
