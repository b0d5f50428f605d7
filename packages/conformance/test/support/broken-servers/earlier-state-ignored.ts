import { latestVersion } from '../model-server/model-store.ts'
import type { BrokenServer } from './broken-server.ts'

export const earlierStateIgnored: BrokenServer = {
  name: 'earlier-state-ignored',
  mistake: 'takes a time or a version and names the latest state all the same',
  clause: 'P284',
  also: ['P283'],
  steps: () => ({
    takeSnapshot: latestVersion,
  }),
}
