import { latestVersion, stateAt } from '../model-server/model-store.ts'
import { correctSteps } from '../model-server/steps.ts'
import type { BrokenServer } from './broken-server.ts'

export const totalOfTheLatestState: BrokenServer = {
  name: 'total-of-the-latest-state',
  mistake: 'counts what is there now, while the pages show a snapshot',
  clause: 'P68',
  also: ['P245'],
  revision: '1.0',
  steps: () => ({
    totalOf: (_state, ask, walk, store) =>
      correctSteps.totalOf(stateAt(store, latestVersion(store)), ask, walk, store),
  }),
}
