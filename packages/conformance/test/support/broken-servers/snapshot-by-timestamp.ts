import { setTimeout as sleep } from 'node:timers/promises'
import { addCommit, applied, latestVersion, stateAt } from '../model-server/model-store.ts'
import { correctSteps } from '../model-server/steps.ts'
import type { BrokenServer } from './broken-server.ts'

export const snapshotByTimestamp: BrokenServer = {
  name: 'snapshot-by-timestamp',
  mistake:
    'takes a time for a snapshot: a commit gets its time before it is visible, so it appears within a walk',
  clause: 'P35',
  steps: () => ({
    commit: async (store, lines) => {
      const stampedAt = performance.now()
      await sleep(6)
      addCommit(store, applied(stateAt(store, latestVersion(store)), lines), stampedAt)
    },
    stateFor: (store, ask, walk) => {
      // A snapshot that is gone is refused by this server too, and a state that is named is named by its version.
      if (ask.named !== undefined || (walk?.version ?? 0) < 0) return correctSteps.stateFor(store, ask, walk)
      const at = ask.snapshot && walk !== undefined ? walk.startedAt : performance.now()
      return stateAt(
        store,
        store.commits.findLastIndex(({ committedAt }) => committedAt <= at),
      )
    },
  }),
}
