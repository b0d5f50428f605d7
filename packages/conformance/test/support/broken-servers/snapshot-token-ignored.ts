import { correctSteps } from '../model-server/steps.ts'
import type { BrokenServer } from './broken-server.ts'

export const snapshotTokenIgnored: BrokenServer = {
  name: 'snapshot-token-ignored',
  mistake: 'takes a snapshot token and reads the latest state all the same',
  clause: 'P240',
  also: ['P243', 'P255', 'P283', 'P284'],
  steps: () => ({
    stateFor: (store, ask, walk) =>
      ask.named === undefined || ask.endpoint === 'countObjects'
        ? correctSteps.stateFor(store, ask, walk)
        : correctSteps.stateFor(store, { ...ask, snapshot: false }, undefined),
  }),
}
