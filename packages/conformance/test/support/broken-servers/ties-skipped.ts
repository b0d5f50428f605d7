import { compareBy } from '../model-server/steps.ts'
import type { BrokenServer } from './broken-server.ts'

export const tiesSkipped: BrokenServer = {
  name: 'ties-skipped',
  mistake:
    'goes on after the last order value without a tie-breaker, so objects with the same value are lost',
  clause: 'P39',
  also: ['P34', 'P40', 'P42'],
  steps: () => ({
    restAfter: (sorted, { orderBy: [first] }, { last }) => {
      const { property, direction } = first ?? { property: 'id', direction: 'asc' as const }
      return sorted.filter((object) => compareBy(property, direction, object, last) > 0)
    },
  }),
}
