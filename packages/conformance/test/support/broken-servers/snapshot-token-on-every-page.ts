import type { BrokenServer } from './broken-server.ts'

export const snapshotTokenOnEveryPage: BrokenServer = {
  name: 'snapshot-token-on-every-page',
  mistake: 'names the state on every page, before the walk has shown it',
  clause: 'P243',
  steps: () => ({ shownToken: (_page, seal) => seal() }),
}
