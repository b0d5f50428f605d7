import { latestVersion, stateAt } from '../model-server/model-store.ts'
import type { BrokenServer } from './broken-server.ts'

export const changesTotalsOfTheLatestState: BrokenServer = {
  name: 'changes-totals-of-the-latest-state',
  mistake: 'has the total and the checksum of the latest state, not of the one that the changes lead to',
  clause: 'P272',
  revision: '2.0',
  steps: () => ({
    totalsState: (store) => stateAt(store, latestVersion(store)),
  }),
}
