import { correctSteps } from '../model-server/steps.ts'
import type { BrokenServer } from './broken-server.ts'

export const changesOneByOne: BrokenServer = {
  name: 'changes-one-by-one',
  mistake: 'returns what each commit did, so an object that changed twice is named twice',
  clause: 'P270',
  also: ['P271', 'P276', 'P278', 'P279'],
  revision: '2.0',
  steps: () => ({
    changesBetween: (store, { ask, from, to }) =>
      Array.from({ length: to - from }, (_, i) =>
        correctSteps.changesBetween(store, { ask, from: from + i, to: from + i + 1 }),
      ).flat(),
  }),
}
