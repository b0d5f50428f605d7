import { refuse } from '../model-server/model-refusal.ts'
import type { BrokenServer } from './broken-server.ts'

export const noChanges: BrokenServer = {
  name: 'no-changes',
  mistake: 'is older than changes and does not know their endpoint',
  clause: 'P270',
  also: ['P271', 'P272', 'P273', 'P275', 'P276', 'P278', 'P279'],
  revision: '2.0',
  steps: () => ({
    knowsChanges: () => refuse('PathNotFound', {}),
  }),
}
