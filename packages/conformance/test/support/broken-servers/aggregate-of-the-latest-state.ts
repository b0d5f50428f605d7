import { latestVersion, stateAt } from '../model-server/model-store.ts'
import type { BrokenServer } from './broken-server.ts'

export const aggregateOfTheLatestState: BrokenServer = {
  name: 'aggregate-of-the-latest-state',
  mistake: 'computes numbers of what is there now, though the request names another state',
  clause: 'P313',
  steps: () => ({
    aggregatedState: (store) => stateAt(store, latestVersion(store)),
  }),
}
