import { correctSteps } from '../model-server/steps.ts'
import type { BrokenServer } from './broken-server.ts'

export const nullsFirst: BrokenServer = {
  name: 'nulls-first',
  mistake: 'lets the database decide where nulls go: first in descending order',
  clause: 'P40',
  also: ['P42'],
  steps: () => ({
    compare: (ask, a, b) => {
      const [first] = ask.orderBy
      if (first?.direction === 'desc') {
        const has = Number(a[first.property] !== undefined) - Number(b[first.property] !== undefined)
        if (has !== 0) return has
      }
      return correctSteps.compare(ask, a, b)
    },
  }),
}
