import { latestVersion } from '../model-server/model-store.ts'
import type { BrokenServer } from './broken-server.ts'

export const snapshotTokenLags: BrokenServer = {
  name: 'snapshot-token-lags',
  mistake: 'names the last version that a background task has seen, not the latest one',
  clause: 'P241',
  revision: '2.0',
  also: ['P240', 'P245', 'P280', 'P283', 'P284', 'P285', 'P313', 'P322'],
  steps: () => ({
    takeSnapshot: (store) => Math.max(0, latestVersion(store) - 1),
  }),
}
