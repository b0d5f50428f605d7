import type { BrokenServer } from './broken-server.ts'
import { setTimeout as sleep } from 'node:timers/promises'
import type { State } from '../model-server/model-data.ts'
import { addCommit, applied, latestVersion, stateAt } from '../model-server/model-store.ts'
import { correctSteps } from '../model-server/steps.ts'
import { refuse } from '../model-server/model-refusal.ts'
import { versionsOf } from '../model-server/object-versions.ts'

const overtaking = 8
const mostMilliseconds = 400

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

export const brokenChanges: readonly BrokenServer[] = [
  {
    name: 'changes-answer-changes-shape',
    mistake: 'answers a request that has waited in vain with another shape, as some do with 204',
    clause: 'P276',
    revision: '2.0',
    steps: () => ({
      changesAnswer: (answer, isSame) => (isSame ? { data: [] } : answer),
    }),
  },
  {
    name: 'changes-by-time',
    mistake:
      'finds changes by the time of their commits: one that began earlier and ended later is never found',
    clause: 'P270',
    also: ['P271'],
    revision: '2.0',
    steps: () => {
      let begun = 0
      let ended = 0
      return {
        commit: async (store, lines) => {
          const stampedAt = performance.now()
          begun += 1
          const endedBefore = ended
          const isSlow = begun % 3 === 0
          // Others overtake it, however busy the machine is, unless there are none.
          const isHeld = () =>
            isSlow && ended - endedBefore < overtaking && performance.now() - stampedAt < mostMilliseconds
          do await sleep(1)
          while (isHeld())
          ended += 1
          addCommit(store, applied(stateAt(store, latestVersion(store)), lines), stampedAt)
        },
        changesBetween: (store, asked) => {
          const timeOf = (version: number) => store.commits[version]?.committedAt ?? 0
          const since = timeOf(asked.from)
          const changed = new Set(
            store.commits.flatMap(({ state, committedAt }, i) =>
              committedAt > since ? keysOfChange(stateAt(store, i - 1), state) : [],
            ),
          )
          return correctSteps.changesBetween(store, asked).filter(({ id }) => changed.has(id))
        },
      }
    },
  },
  {
    name: 'changes-end-moves',
    mistake: 'reads every page of changes up to the latest state, not up to that of the first page',
    clause: 'P270',
    also: ['P271', 'P278', 'P279', 'P272'],
    revision: '2.0',
    steps: () => ({
      changesBetween: (store, asked) =>
        correctSteps.changesBetween(store, { ...asked, to: latestVersion(store) }),
    }),
  },
  {
    name: 'changes-expired-as-a-bad-request',
    mistake: 'takes an old state for a mistake of the client',
    clause: 'P275',
    revision: '2.0',
    steps: () => ({
      refuseExpired: () => refuse('InvalidSnapshotToken', { reason: 'malformed' }),
    }),
  },
  {
    name: 'changes-forget-deletes',
    mistake: 'reads changes from the objects that there are, so what was deleted is never mentioned',
    clause: 'P270',
    also: ['P271', 'P273', 'P276', 'P279'],
    revision: '2.0',
    steps: () => ({
      changesBetween: (store, asked) =>
        correctSteps.changesBetween(store, asked).filter(({ type }) => type === 'put'),
    }),
  },
  {
    name: 'changes-name-what-was-never-seen',
    mistake: 'deletes for everybody what was deleted, also for those whose query it never matched',
    clause: 'P273',
    revision: '2.0',
    steps: () => ({
      changesBetween: (store, asked) => {
        const everything = { ...asked, ask: { ...asked.ask, query: { type: 'empty' } as const } }
        const shown = correctSteps.changesBetween(store, asked)
        const named = new Set(shown.map(({ id }) => id))
        const deleted = correctSteps
          .changesBetween(store, everything)
          .filter(({ type, id }) => type === 'delete' && !named.has(id))
        return [...shown, ...deleted]
      },
    }),
  },
  {
    name: 'changes-one-by-one',
    mistake: 'returns what each commit did, so an object that changed twice is named twice',
    clause: 'P270',
    also: ['P271', 'P276', 'P278', 'P279'],
    revision: '2.0',
    steps: () => ({
      changesBetween: (store, { ask, from, to }) =>
        Array.from({ length: to - from }, (_, i) =>
          correctSteps.changesBetween(store, { ask, from: from + i, to: from + i + 1 }),
        ).flat(),
    }),
  },
  {
    name: 'changes-state-of-the-answer',
    mistake: 'ends with a token of the moment of its last page, so the next difference begins too late',
    clause: 'P271',
    also: ['P270', 'P272', 'P279'],
    revision: '2.0',
    steps: () => ({
      reachedVersion: latestVersion,
    }),
  },
  {
    name: 'changes-state-on-every-page',
    mistake: 'has a snapshot token on every page, so a client may keep one of a copy that is not complete',
    clause: 'P271',
    also: ['P270', 'P272', 'P273', 'P278', 'P279'],
    revision: '2.0',
    steps: () => ({
      changesTokens: (isLast, { next, state }) => ({
        snapshotToken: state(),
        ...(!isLast && { nextPageToken: next() }),
      }),
    }),
  },
  {
    name: 'changes-to-is-ignored',
    mistake: 'takes `to` and leads to the latest state all the same',
    clause: 'P279',
    revision: '2.0',
    steps: () => ({
      changesEnd: (store, { begun }) => begun ?? latestVersion(store),
    }),
  },
  {
    name: 'changes-totals-of-the-latest-state',
    mistake: 'has the total and the checksum of the latest state, not of the one that the changes lead to',
    clause: 'P272',
    revision: '2.0',
    steps: () => ({
      totalsState: (store) => stateAt(store, latestVersion(store)),
    }),
  },
  {
    name: 'changes-wait-is-ignored',
    mistake: 'answers at once that nothing has changed, so that its clients ask all the time',
    clause: 'P276',
    revision: '2.0',
    steps: () => ({
      waitForChange: async () => {},
    }),
  },
  {
    name: 'changes-wait-to-the-end',
    mistake: 'looks for changes only when the time is up',
    clause: 'P276',
    revision: '2.0',
    steps: () => ({
      waitForChange: async (_store, _since, seconds) => sleep(seconds * 1_000),
    }),
  },
  noChanges,
  {
    name: 'versions-forget-deletes',
    mistake: 'lists the rows of its history table, which has none for the time after a deletion',
    clause: 'P280',
    revision: '2.0',
    steps: () => ({
      versionsOf: (...asked) => versionsOf(...asked).filter(({ type }) => type === 'put'),
    }),
  },
]

const keysOfChange = (before: State, after: State): readonly string[] =>
  [...new Set([...before.keys(), ...after.keys()])].filter((id) => before.get(id) !== after.get(id))
