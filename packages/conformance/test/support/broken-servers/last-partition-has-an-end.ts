import { latestVersion, stateAt } from '../model-server/model-store.ts'
import { idOf } from '../model-server/model-data.ts'
import { compareBy, correctSteps } from '../model-server/steps.ts'
import type { BrokenServer } from './broken-server.ts'

export const lastPartitionHasAnEnd: BrokenServer = {
  name: 'last-partition-has-an-end',
  mistake:
    'ends the last partition at the greatest key there is now, though the state that is split has greater ones',
  clause: 'P255',
  revision: '2.0',
  steps: () => ({
    splitEnds: (_state, partitions, ask, store) => {
      const latest = stateAt(store, latestVersion(store))
      const ends = correctSteps.splitEnds(latest, partitions, ask, store)
      const greatest = [...latest.values()].toSorted((a, b) => compareBy('id', 'desc', a, b))[0]
      return [...ends.slice(0, -1), greatest && idOf(greatest)]
    },
  }),
}
