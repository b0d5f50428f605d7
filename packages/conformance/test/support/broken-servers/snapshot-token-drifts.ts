import { correctSteps } from '../model-server/steps.ts'
import type { BrokenServer } from './broken-server.ts'

export const snapshotTokenDrifts: BrokenServer = {
  name: 'snapshot-token-drifts',
  mistake:
    'reads the later pages of a snapshot token from a replica that is one version behind, and does not notice',
  clause: 'P240',
  also: ['P243', 'P255'],
  steps: () => ({
    stateFor: (store, ask, walk) =>
      correctSteps.stateFor(
        store,
        ask,
        walk !== undefined && walk.version > 0 && ask.named !== undefined
          ? { ...walk, version: walk.version - 1 }
          : walk,
      ),
  }),
}
