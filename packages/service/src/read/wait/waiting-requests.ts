// Requests that wait, each for something of an ontology, until they are woken, or the time is up, or the instance stops.
import { wakeFairly, type Sleeper } from './wake-fairly.ts'

export interface WaitLimits {
  /** Who waits: callers are woken in turn. */
  readonly subject: string
  readonly milliseconds: number
  /** Aborts when the client is gone. */
  readonly signal: AbortSignal
  /** Aborts when the instance stops. */
  readonly stopping: AbortSignal
}

interface Waiter<Wanted, Woken> extends Sleeper {
  readonly wanted: Wanted
  readonly stopping: AbortSignal
  readonly wake: (woken: Woken) => void
}

export interface WaitingRequests<Key, Wanted, Woken> {
  readonly count: () => number
  readonly schemas: () => readonly string[]
  /** What is waited for in a schema. */
  readonly keys: (schema: string) => readonly Key[]
  /** Wakes those who wait for this and want it so. */
  readonly wake: (schema: string, key: Key, isWanted: (wanted: Wanted) => boolean, woken: Woken) => void
  readonly wakeAll: (woken: Woken) => void
  readonly wait: (
    waitsFor: { readonly schema: string; readonly key: Key; readonly wanted: Wanted },
    limits: WaitLimits,
  ) => Promise<Woken>
}

export function waitingRequests<Key, Wanted, Woken>({
  joined,
  timeIsUp,
}: {
  /** Called whenever a request begins to wait. */
  readonly joined: () => void
  /** What a request gets whose time is up, or whose instance stops. */
  readonly timeIsUp: () => Woken
}): WaitingRequests<Key, Wanted, Woken> {
  type One = Waiter<Wanted, Woken>
  const waiting = new Map<string, Map<Key, Set<One>>>()
  const watched = new WeakSet<AbortSignal>()

  const all = (): readonly One[] =>
    [...waiting.values()].flatMap((keys) => [...keys.values()].flatMap((waiters) => [...waiters]))

  const join = (schema: string, key: Key, waiter: One): (() => void) => {
    const keys = waiting.get(schema) ?? new Map<Key, Set<One>>()
    const waiters = keys.get(key) ?? new Set()
    waiting.set(schema, keys.set(key, waiters.add(waiter)))
    joined()
    return () => {
      waiters.delete(waiter)
      if (waiters.size === 0 && keys.get(key) === waiters) keys.delete(key)
      if (keys.size === 0 && waiting.get(schema) === keys) waiting.delete(schema)
    }
  }

  /** Once for all who wait: adding a listener to a signal, and removing it, takes as long as the signal has listeners. */
  const wakeWhenStopping = (stopping: AbortSignal): void => {
    if (watched.has(stopping)) return
    watched.add(stopping)
    const wakeThose = (): void => {
      for (const waiter of all()) if (waiter.stopping === stopping) waiter.wake(timeIsUp())
    }
    stopping.addEventListener('abort', wakeThose, { once: true })
  }

  return {
    count: () => all().length,
    schemas: () => [...waiting.keys()],
    keys: (schema) => [...(waiting.get(schema)?.keys() ?? [])],
    wake: (schema, key, isWanted, woken) => {
      const waiters = waiting.get(schema)?.get(key) ?? new Set<One>()
      const found = [...waiters].filter(({ wanted }) => isWanted(wanted))
      // The next poll need not find them again.
      for (const waiter of found) waiters.delete(waiter)
      void wakeFairly(found, ({ wake }) => wake(woken))
    },
    wakeAll: (woken) => void wakeFairly(all(), ({ wake }) => wake(woken)),
    wait: async ({ schema, key, wanted }, { subject, milliseconds, signal, stopping }) => {
      signal.throwIfAborted()
      if (stopping.aborted) return timeIsUp()
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
        const timeout = setTimeout(() => wake(timeIsUp()), milliseconds)
        signal.addEventListener('abort', gone)
        wakeWhenStopping(stopping)
        const leave = join(schema, key, { subject, wanted, stopping, wake })
      })
    },
  }
}
