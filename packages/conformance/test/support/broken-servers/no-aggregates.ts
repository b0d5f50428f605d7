import { refuse } from '../model-server/model-refusal.ts'
import type { BrokenServer } from './broken-server.ts'

export const noAggregates: BrokenServer = {
  name: 'no-aggregates',
  mistake: 'is older than aggregates and does not know their endpoint',
  clause: 'P300',
  steps: () => ({
    knowsAggregates: () => refuse('PathNotFound', {}),
  }),
}
