import { correctSteps } from '../model-server/steps.ts'
import type { BrokenServer } from './broken-server.ts'

export const partOfTheLatestState: BrokenServer = {
  name: 'part-of-the-latest-state',
  mistake: 'reads a part in the latest state, and not in the one that was split',
  clause: 'P255',
  revision: '2.0',
  steps: () => ({
    stateFor: (store, ask, walk) =>
      walk?.part === undefined
        ? correctSteps.stateFor(store, ask, walk)
        : correctSteps.stateFor(store, { ...ask, snapshot: false }, undefined),
  }),
}
