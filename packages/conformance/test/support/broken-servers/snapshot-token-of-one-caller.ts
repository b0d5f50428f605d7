import { refuse } from '../model-server/model-refusal.ts'
import { correctSteps } from '../model-server/steps.ts'
import type { BrokenServer } from './broken-server.ts'

export const snapshotTokenOfOneCaller: BrokenServer = {
  name: 'snapshot-token-of-one-caller',
  mistake: 'binds a snapshot token to the caller who uses it first, as if it were a page token',
  clause: 'P242',
  steps: () => {
    const callers = new Map<unknown, string>()
    return {
      openSnapshot: (token, asked) => {
        const caller = callers.get(token) ?? asked.caller
        callers.set(token, caller)
        if (caller !== asked.caller) refuse('InvalidSnapshotToken', { reason: 'malformed' })
        return correctSteps.openSnapshot(token, asked)
      },
    }
  },
}
