import { correctSteps } from '../model-server/steps.ts'
import type { BrokenServer } from './broken-server.ts'

export const snapshotTokenNotBound: BrokenServer = {
  name: 'snapshot-token-not-bound',
  mistake:
    'continues a walk with any snapshot token, or with none, in a state that the request does not name',
  clause: 'P244',
  also: ['P254'],
  steps: () => ({
    openSnapshot: (token, asked) => ({ ...correctSteps.openSnapshot(token, asked), identity: 'true' }),
  }),
}
