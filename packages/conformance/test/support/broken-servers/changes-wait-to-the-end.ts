import { setTimeout as sleep } from 'node:timers/promises'
import type { BrokenServer } from './broken-server.ts'

export const changesWaitToTheEnd: BrokenServer = {
  name: 'changes-wait-to-the-end',
  mistake: 'looks for changes only when the time is up',
  clause: 'P276',
  revision: '2.0',
  steps: () => ({
    waitForChange: async (_store, _since, seconds) => sleep(seconds * 1_000),
  }),
}
