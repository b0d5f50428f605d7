import { correctSteps } from '../model-server/steps.ts'
import type { BrokenServer } from './broken-server.ts'

const dictionary = new Intl.Collator('en')

export const dictionaryOrder: BrokenServer = {
  name: 'dictionary-order',
  mistake: 'sorts strings as the locale of its database does',
  clause: 'P45',
  also: ['P39', 'P40', 'P42'],
  steps: () => ({
    compare: (ask, a, b) => {
      const [first] = ask.orderBy
      const [one, two] = [a['label'], b['label']]
      if (first?.property === 'label' && typeof one === 'string' && typeof two === 'string') {
        const compared = dictionary.compare(one, two)
        if (compared !== 0) return first.direction === 'asc' ? compared : -compared
      }
      return correctSteps.compare(ask, a, b)
    },
  }),
}
