// The steps of a page of changes, each as the contract requires. A broken server replaces one of them.
import { setTimeout as sleep } from 'node:timers/promises'
import type { ModelAsk } from './model-ask.ts'
import { matches, type ModelObject, type State } from './model-data.ts'
import { refuse } from './model-refusal.ts'
import { latestVersion, stateAt, type ModelStore } from './model-store.ts'

export type ModelChange =
  | { readonly type: 'put'; readonly id: string; readonly object: ModelObject }
  | { readonly type: 'delete'; readonly id: string; readonly reason: 'deleted' | 'left' }

interface AskedDifference {
  readonly ask: ModelAsk
  /** The versions of the two states. */
  readonly from: number
  readonly to: number
}

export interface ChangesSteps {
  /** Refuses every request, if there are no changes at all. */
  readonly knowsChanges: () => void
  /** Refuses a state whose changes are not known. */
  readonly refuseExpired: (objectType: string) => void
  /** The later version: that of the first page, or the one that is named, or the latest. */
  readonly changesEnd: (
    store: ModelStore,
    given: { readonly begun: number | undefined; readonly named: number | undefined },
  ) => number
  readonly changesBetween: (store: ModelStore, asked: AskedDifference) => readonly ModelChange[]
  readonly waitForChange: (store: ModelStore, since: number, seconds: number) => Promise<void>
  /** The version that the snapshot token of the last page names. */
  readonly reachedVersion: (store: ModelStore, to: number) => number
  /** The state whose total and checksum the last page has. */
  readonly totalsState: (store: ModelStore, to: number) => State
  /** `nextPageToken` or `snapshotToken`. */
  readonly changesTokens: (isLast: boolean, seal: Readonly<Record<'next' | 'state', () => string>>) => object
  /** The answer, once it is complete; `isSame` if a request has waited in vain. */
  readonly changesAnswer: (answer: object, isSame: boolean) => object
}

export const correctChangesSteps: ChangesSteps = {
  knowsChanges: () => {},

  refuseExpired: (objectType) => refuse('ChangesExpired', { objectType, reason: 'tooOld' }),

  changesEnd: (store, { begun, named }) => begun ?? named ?? latestVersion(store),

  changesBetween: (store, { ask, from, to }) => {
    const [before, after] = [stateAt(store, from), stateAt(store, to)]
    const shows = (object: ModelObject | undefined): object is ModelObject =>
      object !== undefined && matches(ask.query, object)
    return [...new Set([...before.keys(), ...after.keys()])].toSorted().flatMap((id): ModelChange[] => {
      const [old, object] = [before.get(id), after.get(id)]
      if (old === object) return []
      if (shows(object)) return [{ type: 'put', id, object }]
      return shows(old) ? [{ type: 'delete', id, reason: object === undefined ? 'deleted' : 'left' }] : []
    })
  },

  waitForChange: async (store, since, seconds) => {
    const endsAt = performance.now() + seconds * 1_000
    while (latestVersion(store) === since && performance.now() < endsAt) await sleep(10)
  },

  reachedVersion: (_store, to) => to,

  totalsState: stateAt,

  changesTokens: (isLast, { next, state }) =>
    isLast ? { snapshotToken: state() } : { nextPageToken: next() },

  changesAnswer: (answer) => answer,
}
