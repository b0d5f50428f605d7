import { listParameterNames } from '@octavo/protocol'
import { refuse } from '../model-server/model-refusal.ts'
import { correctSteps } from '../model-server/steps.ts'
import type { BrokenServer } from './broken-server.ts'

export const noSnapshotTokens: BrokenServer = {
  name: 'no-snapshot-tokens',
  mistake:
    'is older than snapshot tokens, counts, parts and changes, and has none of their endpoints, parameters and fields',
  clause: 'P241',
  revision: '2.0',
  also: [
    'P240',
    'P242',
    'P243',
    'P244',
    'P245',
    'P253',
    'P254',
    'P255',
    'P256',
    'P257',
    'P258',
    'P270',
    'P271',
    'P272',
    'P273',
    'P275',
    'P276',
    'P278',
    'P279',
  ],
  steps: () => ({
    knowsChanges: () => refuse('PathNotFound', {}),
    splitVersion: () => refuse('PathNotFound', {}),
    takeSnapshot: () => refuse('PathNotFound', {}),
    openSnapshot: () =>
      refuse('UnknownParameter', {
        unknownParameters: ['snapshotToken'],
        expectedParameters: listParameterNames.filter((name) => name !== 'snapshotToken'),
      }),
    shownToken: () => undefined,
    totalOf: (state, ask, walk, store) =>
      ask.endpoint === 'countObjects'
        ? refuse('PathNotFound', {})
        : correctSteps.totalOf(state, ask, walk, store),
  }),
}
