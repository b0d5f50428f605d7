import { latestVersion } from '../model-server/model-store.ts'
import type { BrokenServer } from './broken-server.ts'

export const changesStateOfTheAnswer: BrokenServer = {
  name: 'changes-state-of-the-answer',
  mistake: 'ends with a token of the moment of its last page, so the next difference begins too late',
  clause: 'P271',
  also: ['P270', 'P272', 'P279'],
  revision: '2.0',
  steps: () => ({
    reachedVersion: latestVersion,
  }),
}
