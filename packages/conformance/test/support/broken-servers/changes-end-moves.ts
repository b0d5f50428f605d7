import { latestVersion } from '../model-server/model-store.ts'
import { correctSteps } from '../model-server/steps.ts'
import type { BrokenServer } from './broken-server.ts'

export const changesEndMoves: BrokenServer = {
  name: 'changes-end-moves',
  mistake: 'reads every page of changes up to the latest state, not up to that of the first page',
  clause: 'P270',
  also: ['P271', 'P278', 'P279', 'P272'],
  revision: '2.0',
  steps: () => ({
    changesBetween: (store, asked) =>
      correctSteps.changesBetween(store, { ...asked, to: latestVersion(store) }),
  }),
}
