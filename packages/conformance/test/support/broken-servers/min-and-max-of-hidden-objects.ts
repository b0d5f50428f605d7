import { valuesOf } from '../model-server/aggregate-steps.ts'
import { hiddenThing } from '../model-server/model-data.ts'
import type { BrokenServer } from './broken-server.ts'

export const minAndMaxOfHiddenObjects: BrokenServer = {
  name: 'min-and-max-of-hidden-objects',
  mistake:
    'takes the least and the greatest value from the ends of an index, which has the objects that a policy hides too',
  clause: 'P317',
  steps: () => ({
    indexedValues: (state, field) => valuesOf([...state.values(), hiddenThing], field),
  }),
}
