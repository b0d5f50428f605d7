import { listParameterNames } from '@octavo/protocol'
import { refuse } from '../model-server/model-refusal.ts'
import { correctSteps } from '../model-server/steps.ts'
import type { BrokenServer } from './broken-server.ts'
import type { ModelWalk } from '../model-server/model-token.ts'
import { setTimeout as sleep } from 'node:timers/promises'
import { addCommit, applied, latestVersion, stateAt } from '../model-server/model-store.ts'

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

export const brokenSnapshots: readonly BrokenServer[] = [
  noSnapshotTokens,
  {
    name: 'page-token-as-snapshot-token',
    mistake: 'seals both kinds of tokens alike, and takes a page token for a snapshot token',
    clause: 'P242',
    steps: () => ({
      openSnapshot: (token, asked) => {
        const opened = asked.box.open(String(token))
        if (opened === undefined || !('version' in opened)) return correctSteps.openSnapshot(token, asked)
        const { version } = opened as ModelWalk
        return { version, identity: `version ${version}` }
      },
    }),
  },
  {
    name: 'snapshot-by-timestamp',
    mistake:
      'takes a time for a snapshot: a commit gets its time before it is visible, so it appears within a walk',
    clause: 'P35',
    steps: () => ({
      commit: async (store, lines) => {
        const stampedAt = performance.now()
        await sleep(6)
        addCommit(store, applied(stateAt(store, latestVersion(store)), lines), stampedAt)
      },
      stateFor: (store, ask, walk) => {
        // A snapshot that is gone is refused by this server too, and a state that is named is named by its version.
        if (ask.named !== undefined || (walk?.version ?? 0) < 0)
          return correctSteps.stateFor(store, ask, walk)
        const at = ask.snapshot && walk !== undefined ? walk.startedAt : performance.now()
        return stateAt(
          store,
          store.commits.findLastIndex(({ committedAt }) => committedAt <= at),
        )
      },
    }),
  },
  {
    name: 'snapshot-ignored',
    mistake: 'takes the parameter snapshot and does nothing with it',
    clause: 'P35',
    also: ['P36', 'P68', 'P150', 'P240', 'P243', 'P245', 'P255', 'P263', 'P283', 'P284'],
    steps: () => ({
      stateFor: (store, ask) => correctSteps.stateFor(store, { ...ask, snapshot: false }, undefined),
    }),
  },
  {
    name: 'snapshot-token-drifts',
    mistake:
      'reads the later pages of a snapshot token from a replica that is one version behind, and does not notice',
    clause: 'P240',
    also: ['P243', 'P255'],
    steps: () => ({
      stateFor: (store, ask, walk) =>
        correctSteps.stateFor(
          store,
          ask,
          walk !== undefined && walk.version > 0 && ask.named !== undefined
            ? { ...walk, version: walk.version - 1 }
            : walk,
        ),
    }),
  },
  {
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
  },
  {
    name: 'snapshot-token-lags',
    mistake: 'names the last version that a background task has seen, not the latest one',
    clause: 'P241',
    revision: '2.0',
    also: ['P240', 'P245', 'P280', 'P283', 'P284', 'P285', 'P313', 'P322'],
    steps: () => ({
      takeSnapshot: (store) => Math.max(0, latestVersion(store) - 1),
    }),
  },
  {
    name: 'snapshot-token-missing',
    mistake: 'ends a snapshot walk without saying which state it has shown',
    clause: 'P243',
    steps: () => ({ shownToken: () => undefined }),
  },
  {
    name: 'snapshot-token-not-bound',
    mistake:
      'continues a walk with any snapshot token, or with none, in a state that the request does not name',
    clause: 'P244',
    also: ['P254'],
    steps: () => ({
      openSnapshot: (token, asked) => ({ ...correctSteps.openSnapshot(token, asked), identity: 'true' }),
    }),
  },
  {
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
  },
  {
    name: 'snapshot-token-on-every-page',
    mistake: 'names the state on every page, before the walk has shown it',
    clause: 'P243',
    steps: () => ({ shownToken: (_page, seal) => seal() }),
  },
  {
    name: 'snapshot-tokens-compared-by-text',
    mistake:
      'compares snapshot tokens by their text, and refuses a worker that took its own token of the state',
    clause: 'P244',
    revision: '2.0',
    steps: () => ({
      openSnapshot: (token, asked) => ({
        ...correctSteps.openSnapshot(token, asked),
        identity: String(token),
      }),
    }),
  },
  {
    name: 'version-of-the-first-page',
    mistake: 'repeats the version of the first page on every page of a walk in default mode',
    clause: 'P248',
    steps: () => ({ versionShown: ({ read }) => read }),
  },
]
