import { correctSteps } from '../model-server/steps.ts'
import type { BrokenServer } from './broken-server.ts'

export const changesForgetDeletes: BrokenServer = {
  name: 'changes-forget-deletes',
  mistake: 'reads changes from the objects that there are, so what was deleted is never mentioned',
  clause: 'P270',
  also: ['P271', 'P273', 'P276', 'P279'],
  revision: '2.0',
  steps: () => ({
    changesBetween: (store, asked) =>
      correctSteps.changesBetween(store, asked).filter(({ type }) => type === 'put'),
  }),
}
