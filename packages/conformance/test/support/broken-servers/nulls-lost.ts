import { correctSteps } from '../model-server/steps.ts'
import type { BrokenServer } from './broken-server.ts'

export const nullsLost: BrokenServer = {
  name: 'nulls-lost',
  mistake:
    'compares order values with > alone, which is never true of null: objects without a value are lost',
  clause: 'P40',
  also: ['P39', 'P42'],
  steps: () => ({
    restAfter: (sorted, ask, walk, compare) =>
      correctSteps
        .restAfter(sorted, ask, walk, compare)
        .filter((object) => ask.orderBy.every(({ property }) => object[property] !== undefined)),
  }),
}
