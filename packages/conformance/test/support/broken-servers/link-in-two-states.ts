import { latestVersion } from '../model-server/model-store.ts'
import type { BrokenServer } from './broken-server.ts'

export const linkInTwoStates: BrokenServer = {
  name: 'link-in-two-states',
  mistake:
    'keeps the state of the objects of a walk in its page token, and follows the links in the latest state',
  clause: 'P322',
  revision: '2.0',
  steps: () => ({
    linkedVersion: (store) => latestVersion(store),
  }),
}
