import { latestVersion } from '../model-server/model-store.ts'
import type { BrokenServer } from './broken-server.ts'

export const changesToIsIgnored: BrokenServer = {
  name: 'changes-to-is-ignored',
  mistake: 'takes `to` and leads to the latest state all the same',
  clause: 'P279',
  revision: '2.0',
  steps: () => ({
    changesEnd: (store, { begun }) => begun ?? latestVersion(store),
  }),
}
