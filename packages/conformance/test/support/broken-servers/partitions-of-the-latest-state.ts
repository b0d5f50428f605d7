import { latestVersion } from '../model-server/model-store.ts'
import type { BrokenServer } from './broken-server.ts'

export const partitionsOfTheLatestState: BrokenServer = {
  name: 'partitions-of-the-latest-state',
  mistake: 'takes a snapshot token and splits the latest state all the same',
  clause: 'P253',
  also: ['P255'],
  revision: '2.0',
  steps: () => ({
    splitVersion: latestVersion,
  }),
}
