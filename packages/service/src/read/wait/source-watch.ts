// Wakes requests that wait for a position of a source. However many requests wait, one statement for each ontology reads the sources
// that they wait for, ten times a second.
import type { PositionOrder } from '@octavo/protocol'
import { lruCache } from '../../base/lru-cache.ts'
import { contains, type AfterPosition, type StoredPosition } from '../../catalog/source-positions.ts'
import type { WaitLimits } from './clock-watch.ts'
import { wakeFairly, type Sleeper } from './wake-fairly.ts'

export interface SourceWatch {
  /** How many requests wait. */
  readonly waiting: () => number
  /** Waits until the newest state contains the position, or the time is up, or the instance stops. */
  readonly wait: (after: AfterPosition, limits: WaitLimits) => Promise<void>
  /** How the positions of a source follow one another, as far as this process knows; undefined if there is no such source. */
  readonly orderOf: (schema: string, source: string) => Promise<PositionOrder | undefined>
  /** Reads the order again the next time. */
  readonly forget: (schema: string, source: string) => void
}

/** Reads the rows of these sources. */
export type ReadSources = (schema: string, names: readonly string[]) => Promise<readonly StoredPosition[]>

const pollMs = 100
const mostOrders = 10_000

interface Waiter extends Sleeper {
  readonly after: AfterPosition
  readonly stopping: AbortSignal
  readonly wake: () => void
}

export function sourceWatch(readSources: ReadSources): SourceWatch {
  const orders = lruCache<PositionOrder>(mostOrders)
  const waiting = new Map<string, Map<string, Set<Waiter>>>()
  const watched = new WeakSet<AbortSignal>()
  let timer: NodeJS.Timeout | undefined
  let polledAt = Number.NEGATIVE_INFINITY

  const all = (): readonly Waiter[] =>
    [...waiting.values()].flatMap((sources) => [...sources.values()].flatMap((waiters) => [...waiters]))

  const join = ({ schema, source }: AfterPosition, waiter: Waiter): (() => void) => {
    const sources = waiting.get(schema) ?? new Map<string, Set<Waiter>>()
    const waiters = sources.get(source) ?? new Set()
    waiting.set(schema, sources.set(source, waiters.add(waiter)))
    pollSoon()
    return () => {
      waiters.delete(waiter)
      if (waiters.size === 0 && sources.get(source) === waiters) sources.delete(source)
      if (sources.size === 0 && waiting.get(schema) === sources) waiting.delete(schema)
    }
  }

  /** Once for all who wait, as in clock-watch.ts. */
  const wakeWhenStopping = (stopping: AbortSignal): void => {
    if (watched.has(stopping)) return
    watched.add(stopping)
    const wakeAll = (): void => {
      for (const waiter of all()) if (waiter.stopping === stopping) waiter.wake()
    }
    stopping.addEventListener('abort', wakeAll, { once: true })
  }

  /** At once if the last time was long ago: most positions are there when they are asked for. */
  const pollSoon = (): void => {
    const inMs = Math.max(0, polledAt + pollMs - performance.now())
    timer ??= setTimeout(() => {
      polledAt = performance.now()
      // A failed read is tried again at the next poll; if it keeps failing, the request itself sees the error.
      void Promise.allSettled([...waiting.keys()].map(poll)).finally(() => {
        timer = undefined
        if (waiting.size > 0) pollSoon()
      })
    }, inMs).unref()
  }

  const poll = async (schema: string): Promise<void> => {
    const stored = await readSources(schema, [...(waiting.get(schema)?.keys() ?? [])])
    for (const row of stored) {
      const waiters = waiting.get(schema)?.get(row['name'] ?? '') ?? new Set()
      const reached = [...waiters].filter(({ after }) => contains(row, after))
      // The next poll need not find them again.
      for (const waiter of reached) waiters.delete(waiter)
      void wakeFairly(reached, ({ wake }) => wake())
    }
  }

  return {
    waiting: () => all().length,
    orderOf: async (schema, source) => {
      const key = `${schema} ${source}`
      const known = orders.get(key)
      if (known !== undefined) return known
      const [row] = await readSources(schema, [source])
      const order = row?.['position_order'] as PositionOrder | undefined
      if (order !== undefined) orders.set(key, order)
      return order
    },
    forget: (schema, source) => orders.delete(`${schema} ${source}`),
    wait: async (after, { subject, milliseconds, signal, stopping }) => {
      signal.throwIfAborted()
      if (stopping.aborted) return
      await new Promise<void>((resolve, reject) => {
        const end = (): void => {
          leave()
          clearTimeout(timeout)
          signal.removeEventListener('abort', gone)
        }
        const wake = (): void => {
          end()
          resolve()
        }
        const gone = (): void => {
          end()
          reject(signal.reason as Error)
        }
        const timeout = setTimeout(wake, milliseconds)
        signal.addEventListener('abort', gone)
        wakeWhenStopping(stopping)
        const leave = join(after, { subject, after, stopping, wake })
      })
    },
  }
}
