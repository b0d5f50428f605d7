// Wakes requests that wait when an object type has changed. However many requests wait, one poll reads the clocks that they wait
// for: no request holds a connection to the database, and the price grows with the types that are watched, not with who watches them.
import type { ObjectType } from '../../catalog/object-type.ts'
import type { NamedVersion } from '../token/snapshot-claims.ts'
import { waitingRequests, type WaitLimits } from './waiting-requests.ts'

export interface ClockWatch {
  /** How many requests wait. */
  readonly waiting: () => number
  /** Waits until the newest version of the type is another one, or access was changed, or the time is up, or the instance stops. */
  readonly wait: (type: WatchedType, state: WatchedState, limits: WaitLimits) => Promise<Woken>
  /** Does some work once for all who ask for it within a second and then wait: they learn of what is committed later. */
  readonly lately: () => Pick<Woken, 'once'>
}

/** The tag distinguishes the version from another one with the same number, after a restore or a failover. */
export type WatchedState = Pick<NamedVersion, 'version' | 'tag'>

type WatchedType = Pick<ObjectType, 'schema' | 'id'>

export interface Woken {
  readonly why: 'changed' | 'access' | 'time'
  /**
   * Does some work once for all who were woken by the same change, and gives all of them its result. They all began to wait before
   * the change, so none of them misses a later one that it knows of. Work without a result counts as not done: who asks
   * next does it again.
   */
  readonly once: <Result>(
    name: string,
    work: () => Promise<Result | undefined>,
  ) => Promise<Result | undefined>
}

export interface WatchSources {
  /** The newest states of object types of one ontology, by their numbers. */
  readonly newestStates: (
    schema: string,
    ids: readonly number[],
  ) => Promise<ReadonlyMap<number, WatchedState>>
  /** Changes whenever a token or a grant is changed. */
  readonly accessVersion: () => Promise<string>
}

/** A change is noticed after half of this on average. */
const pollMs = 200
const latelyMs = 1_000

export function clockWatch({ newestStates, accessVersion }: WatchSources): ClockWatch {
  const waiting = waitingRequests<number, WatchedState, Woken>({
    joined: () => pollSoon(),
    timeIsUp: () => wokenBy('time'),
  })
  let timer: NodeJS.Timeout | undefined
  let access: string | undefined
  let shared = { ...wokenBy('time'), until: 0 }

  const pollSoon = (): void => {
    timer ??= setTimeout(() => {
      void poll().finally(() => {
        timer = undefined
        if (waiting.schemas().length > 0) pollSoon()
        else access = undefined
      })
    }, pollMs).unref()
  }

  const poll = async (): Promise<void> => {
    // A failed read is tried again at the next poll; if it keeps failing, the request times out and sees the error.
    await Promise.allSettled([pollAccess(), ...waiting.schemas().map(pollClocks)])
  }

  const pollAccess = async (): Promise<void> => {
    const before = access
    access = await accessVersion()
    if (before !== undefined && before !== access) waiting.wakeAll(wokenBy('access'))
  }

  const pollClocks = async (schema: string): Promise<void> => {
    const newest = await newestStates(schema, waiting.keys(schema))
    for (const id of waiting.keys(schema)) {
      const now = newest.get(id)
      const isLate = (state: WatchedState) => state.version !== now?.version || state.tag !== now.tag
      waiting.wake(schema, id, isLate, wokenBy('changed'))
    }
  }

  return {
    waiting: waiting.count,
    lately: () => {
      const now = performance.now()
      if (now >= shared.until) shared = { ...wokenBy('time'), until: now + latelyMs }
      return shared
    },
    wait: ({ schema, id }, state, limits) => waiting.wait({ schema, key: id, wanted: state }, limits),
  }
}

function wokenBy(why: Woken['why']): Woken {
  const done = new Map<string, Promise<unknown>>()
  return {
    why,
    once: async <Result>(name: string, work: () => Promise<Result | undefined>) => {
      const running = done.get(name) ?? work()
      done.set(name, running)
      const result = await running
      if (result === undefined && done.get(name) === running) done.delete(name)
      return result as Result | undefined
    },
  }
}
