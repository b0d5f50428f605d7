import { latestVersion, stateAt } from '../model-server/model-store.ts'
import { correctSteps } from '../model-server/steps.ts'
import type { BrokenServer } from './broken-server.ts'

export const countOfTheLatestState: BrokenServer = {
  name: 'count-of-the-latest-state',
  mistake: 'counts what is there now, though the request names another state',
  clause: 'P245',
  revision: '2.0',
  steps: () => ({
    totalOf: (state, ask, walk, store) => {
      const counted = ask.endpoint === 'countObjects' ? stateAt(store, latestVersion(store)) : state
      return correctSteps.totalOf(counted, ask, walk, store)
    },
  }),
}
