import { correctSteps } from '../model-server/steps.ts'
import type { BrokenServer } from './broken-server.ts'

export const driftForgetsDeletes: BrokenServer = {
  name: 'drift-forgets-deletes',
  mistake:
    'counts what was put meanwhile from the objects that are there, so that deletions count for nothing',
  clause: 'P248',
  steps: () => ({
    driftOf: (store, from, to) => ({ ...correctSteps.driftOf(store, from, to), deletes: '0' }),
  }),
}
