// Wakes requests that wait when an object type has changed. However many requests wait, one poll reads the clocks that they wait
// for: no request holds a connection to the database, and the price grows with the types that are watched, not with who watches them.
import type { ObjectType } from '../../catalog/object-type.ts'
import type { NamedVersion } from '../token/snapshot-claims.ts'
import { wakeFairly, type Sleeper } from './wake-fairly.ts'

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

export interface WaitLimits {
  /** Who waits: callers are woken in turn. */
  readonly subject: string
  readonly milliseconds: number
  /** Aborts when the client is gone. */
  readonly signal: AbortSignal
  /** Aborts when the instance stops. */
  readonly stopping: AbortSignal
}

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

interface Waiter extends Sleeper {
  readonly state: WatchedState
  readonly stopping: AbortSignal
  readonly wake: (woken: Woken) => void
}

export function clockWatch({ newestStates, accessVersion }: WatchSources): ClockWatch {
  const waiting = new Map<string, Map<number, Set<Waiter>>>()
  const watched = new WeakSet<AbortSignal>()
  let timer: NodeJS.Timeout | undefined
  let access: string | undefined
  let shared = { ...wokenBy('time'), until: 0 }

  const all = (): readonly Waiter[] =>
    [...waiting.values()].flatMap((types) => [...types.values()].flatMap((waiters) => [...waiters]))

  const join = ({ schema, id }: WatchedType, waiter: Waiter): (() => void) => {
    const types = waiting.get(schema) ?? new Map<number, Set<Waiter>>()
    const waiters = types.get(id) ?? new Set()
    waiting.set(schema, types.set(id, waiters.add(waiter)))
    pollSoon()
    return () => {
      waiters.delete(waiter)
      if (waiters.size === 0 && types.get(id) === waiters) types.delete(id)
      if (types.size === 0 && waiting.get(schema) === types) waiting.delete(schema)
    }
  }

  /** Once for all who wait: adding a listener to a signal, and removing it, takes as long as the signal has listeners. */
  const wakeWhenStopping = (stopping: AbortSignal): void => {
    if (watched.has(stopping)) return
    watched.add(stopping)
    const wakeAll = (): void => {
      for (const waiter of all()) if (waiter.stopping === stopping) waiter.wake(wokenBy('time'))
    }
    stopping.addEventListener('abort', wakeAll, { once: true })
  }

  const pollSoon = (): void => {
    timer ??= setTimeout(() => {
      void poll().finally(() => {
        timer = undefined
        if (waiting.size > 0) pollSoon()
        else access = undefined
      })
    }, pollMs).unref()
  }

  const poll = async (): Promise<void> => {
    // A failed read is tried again at the next poll; if it keeps failing, the request times out and sees the error.
    await Promise.allSettled([pollAccess(), ...[...waiting.keys()].map(pollClocks)])
  }

  const pollAccess = async (): Promise<void> => {
    const before = access
    access = await accessVersion()
    if (before !== undefined && before !== access)
      void wakeFairly(all(), ({ wake }) => wake(wokenBy('access')))
  }

  const pollClocks = async (schema: string): Promise<void> => {
    const newest = await newestStates(schema, [...(waiting.get(schema)?.keys() ?? [])])
    for (const [id, waiters] of waiting.get(schema) ?? []) {
      const now = newest.get(id)
      const woken = wokenBy('changed')
      const late = [...waiters].filter(({ state }) => state.version !== now?.version || state.tag !== now.tag)
      // The next poll need not find them again.
      for (const waiter of late) waiters.delete(waiter)
      void wakeFairly(late, ({ wake }) => wake(woken))
    }
  }

  return {
    waiting: () => all().length,
    lately: () => {
      const now = performance.now()
      if (now >= shared.until) shared = { ...wokenBy('time'), until: now + latelyMs }
      return shared
    },
    wait: async (type, state, { subject, milliseconds, signal, stopping }) => {
      signal.throwIfAborted()
      if (stopping.aborted) return wokenBy('time')
      return new Promise((resolve, reject) => {
        const end = (): void => {
          leave()
          clearTimeout(timeout)
          signal.removeEventListener('abort', gone)
        }
        const wake = (woken: Woken): void => {
          end()
          resolve(woken)
        }
        const gone = (): void => {
          end()
          reject(signal.reason as Error)
        }
        const timeout = setTimeout(() => wake(wokenBy('time')), milliseconds)
        signal.addEventListener('abort', gone)
        wakeWhenStopping(stopping)
        const leave = join(type, { subject, state, stopping, wake })
      })
    },
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
