import { refuse } from '../model-server/model-refusal.ts'
import type { BrokenServer } from './broken-server.ts'

export const changesExpiredAsABadRequest: BrokenServer = {
  name: 'changes-expired-as-a-bad-request',
  mistake: 'takes an old state for a mistake of the client',
  clause: 'P275',
  revision: '2.0',
  steps: () => ({
    refuseExpired: () => refuse('InvalidSnapshotToken', { reason: 'malformed' }),
  }),
}
