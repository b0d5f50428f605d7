import { latestVersion, stateAt } from '../model-server/model-store.ts'
import { correctSteps } from '../model-server/steps.ts'
import type { BrokenServer } from './broken-server.ts'

export const checksumOfTheLatestState: BrokenServer = {
  name: 'checksum-of-the-latest-state',
  mistake: 'sends the checksum of the latest state with a walk of an earlier one',
  clause: 'P252',
  also: ['P272'],
  revision: '2.0',
  steps: () => ({
    checksumOf: (_state, ask, store) =>
      correctSteps.checksumOf(stateAt(store, latestVersion(store)), ask, store),
  }),
}
