import type { BrokenServer } from './broken-server.ts'
import { latestVersion, stateAt } from '../model-server/model-store.ts'
import { correctSteps } from '../model-server/steps.ts'
import { checksumOf } from '../../../src/subject/content-checksum.ts'
import { setTimeout as sleep, setImmediate as breathe } from 'node:timers/promises'

const lagMilliseconds = 25

export const brokenStates: readonly BrokenServer[] = [
  {
    name: 'checksum-is-a-count',
    mistake: 'sends the number of objects as their checksum',
    clause: 'P250',
    also: ['P252', 'P272'],
    revision: '2.0',
    steps: () => ({
      checksumOf: (state) => state.size.toString(16).padStart(16, '0'),
    }),
  },
  {
    name: 'checksum-of-the-latest-state',
    mistake: 'sends the checksum of the latest state with a walk of an earlier one',
    clause: 'P252',
    also: ['P272'],
    revision: '2.0',
    steps: () => ({
      checksumOf: (_state, ask, store) =>
        correctSteps.checksumOf(stateAt(store, latestVersion(store)), ask, store),
    }),
  },
  {
    name: 'checksum-without-keys',
    mistake: 'leaves the primary key out of the hash',
    clause: 'P250',
    also: ['P252', 'P272'],
    revision: '2.0',
    steps: () => ({
      checksumOf: (state) => checksumOf([...state.values()].map((properties) => ({ properties }))),
    }),
  },
  {
    name: 'earlier-state-ignored',
    mistake: 'takes a time or a version and names the latest state all the same',
    clause: 'P284',
    also: ['P283'],
    revision: '2.0',
    steps: () => ({
      takeSnapshot: latestVersion,
    }),
  },
  {
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
  },
  {
    name: 'torn-batch',
    mistake: 'applies a batch line by line, so a page can show a part of it',
    clause: 'P37',
    also: ['P35', 'P245', 'P285'],
    steps: () => ({
      commit: async (store, lines) => {
        for (const line of lines) {
          await correctSteps.commit(store, [line])
          await breathe()
        }
      },
    }),
  },
]
