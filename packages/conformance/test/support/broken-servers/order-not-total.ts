import type { ModelObject } from '../model-server/model-data.ts'
import { compareBy, correctSteps } from '../model-server/steps.ts'
import type { BrokenServer } from './broken-server.ts'

export const orderNotTotal: BrokenServer = {
  name: 'order-not-total',
  mistake: 'leaves the order of equal values to chance, which decides otherwise on the next page',
  clause: 'P39',
  also: ['P34', 'P40', 'P42'],
  steps: () => ({
    restAfter: (sorted, ask, walk, compare) => {
      const [first] = ask.orderBy
      if (first === undefined) return correctSteps.restAfter(sorted, ask, walk, compare)
      const { property, direction } = first
      const byChance = (a: ModelObject, b: ModelObject) =>
        compareBy(property, direction, a, b) || compareBy('id', direction === 'asc' ? 'desc' : 'asc', a, b)
      return sorted.filter((object) => byChance(object, walk.last) > 0).toSorted(byChance)
    },
  }),
}
