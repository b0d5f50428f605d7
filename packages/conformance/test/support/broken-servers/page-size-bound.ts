import { correctSteps } from '../model-server/steps.ts'
import { refuse } from '../model-server/model-refusal.ts'
import type { BrokenServer } from './broken-server.ts'

export const pageSizeBound: BrokenServer = {
  name: 'page-size-bound',
  mistake: 'binds the page size into the token, and refuses a walk that changes it',
  clause: 'P22',
  also: ['P3', 'P5', 'P35', 'P39', 'P40', 'P41', 'P42', 'P32', 'P33', 'P36', 'P70', 'P254', 'P256', 'P263'],
  steps: () => {
    const sizes = new Map<number, unknown>()
    return {
      checkWalk: (walk, ask, caller) => {
        correctSteps.checkWalk(walk, ask, caller)
        const size = sizes.get(walk.startedAt) ?? ask.pageSize
        sizes.set(walk.startedAt, size)
        if (size !== ask.pageSize)
          refuse('InvalidPageToken', { reason: 'requestChanged', changed: ['pageSize'] })
      },
    }
  },
}
