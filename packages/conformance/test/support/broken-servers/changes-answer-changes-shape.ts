import type { BrokenServer } from './broken-server.ts'

export const changesAnswerChangesShape: BrokenServer = {
  name: 'changes-answer-changes-shape',
  mistake: 'answers a request that has waited in vain with another shape, as some do with 204',
  clause: 'P276',
  revision: '2.0',
  steps: () => ({
    changesAnswer: (answer, isSame) => (isSame ? { data: [] } : answer),
  }),
}
