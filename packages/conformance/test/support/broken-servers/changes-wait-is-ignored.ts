import type { BrokenServer } from './broken-server.ts'

export const changesWaitIsIgnored: BrokenServer = {
  name: 'changes-wait-is-ignored',
  mistake: 'answers at once that nothing has changed, so that its clients ask all the time',
  clause: 'P276',
  revision: '2.0',
  steps: () => ({
    waitForChange: async () => {},
  }),
}
