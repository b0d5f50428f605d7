import type { BrokenServer } from './broken-server.ts'

export const snapshotTokenMissing: BrokenServer = {
  name: 'snapshot-token-missing',
  mistake: 'ends a snapshot walk without saying which state it has shown',
  clause: 'P243',
  steps: () => ({ shownToken: () => undefined }),
}
