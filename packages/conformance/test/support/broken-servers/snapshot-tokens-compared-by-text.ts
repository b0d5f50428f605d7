import { correctSteps } from '../model-server/steps.ts'
import type { BrokenServer } from './broken-server.ts'

export const snapshotTokensComparedByText: BrokenServer = {
  name: 'snapshot-tokens-compared-by-text',
  mistake:
    'compares snapshot tokens by their text, and refuses a worker that took its own token of the state',
  clause: 'P244',
  steps: () => ({
    openSnapshot: (token, asked) => ({
      ...correctSteps.openSnapshot(token, asked),
      identity: String(token),
    }),
  }),
}
