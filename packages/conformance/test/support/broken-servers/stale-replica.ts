import { setTimeout as sleep } from 'node:timers/promises'
import { stateAt } from '../model-server/model-store.ts'
import { correctSteps } from '../model-server/steps.ts'
import type { BrokenServer } from './broken-server.ts'

const lagMilliseconds = 25

export const staleReplica: BrokenServer = {
  name: 'stale-replica',
  mistake: 'reads from a replica that is behind, so what was acknowledged is missing for a while',
  clause: 'P38',
  also: [
    'P3',
    'P5',
    'P32',
    'P33',
    'P34',
    'P35',
    'P36',
    'P37',
    'P45',
    'P68',
    'P150',
    'P180',
    'P240',
    'P243',
    'P245',
    'P248',
    'P255',
    'P322',
    'P324',
  ],
  steps: () => ({
    commit: async (store, lines) => {
      await correctSteps.commit(store, lines)
      // A case ends with deletions. Without this wait the next case would start in a state that it cannot know.
      if (lines.every(({ type }) => type === 'delete')) await sleep(2 * lagMilliseconds)
    },
    stateFor: (store, ask, walk) => {
      if (ask.snapshot && (walk ?? ask.named) !== undefined) return correctSteps.stateFor(store, ask, walk)
      const at = performance.now() - lagMilliseconds
      return stateAt(
        store,
        Math.max(
          0,
          store.commits.findLastIndex(({ committedAt }) => committedAt <= at),
        ),
      )
    },
  }),
}
