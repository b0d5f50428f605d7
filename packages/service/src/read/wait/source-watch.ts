// Wakes requests that wait for a position of a source. However many requests wait, one statement for each ontology reads the sources
// that they wait for, ten times a second.
import type { PositionOrder } from '@octavo/protocol'
import { lruCache } from '../../base/lru-cache.ts'
import { contains, type AfterPosition, type StoredPosition } from '../../catalog/source-positions.ts'
import { waitingRequests, type WaitLimits } from './waiting-requests.ts'

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

export function sourceWatch(readSources: ReadSources): SourceWatch {
  const orders = lruCache<PositionOrder>(mostOrders)
  const waiting = waitingRequests<string, AfterPosition, void>({
    joined: () => pollSoon(),
    timeIsUp: () => {},
  })
  let timer: NodeJS.Timeout | undefined
  let polledAt = Number.NEGATIVE_INFINITY

  /** At once if the last time was long ago: most positions are there when they are asked for. */
  const pollSoon = (): void => {
    const inMs = Math.max(0, polledAt + pollMs - performance.now())
    timer ??= setTimeout(() => {
      polledAt = performance.now()
      // A failed read is tried again at the next poll; if it keeps failing, the request itself sees the error.
      void Promise.allSettled(waiting.schemas().map(poll)).finally(() => {
        timer = undefined
        if (waiting.schemas().length > 0) pollSoon()
      })
    }, inMs).unref()
  }

  const poll = async (schema: string): Promise<void> => {
    for (const row of await readSources(schema, waiting.keys(schema)))
      waiting.wake(schema, row['name'] ?? '', (after) => contains(row, after), undefined)
  }

  return {
    waiting: waiting.count,
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
    wait: (after, limits) => waiting.wait({ schema: after.schema, key: after.source, wanted: after }, limits),
  }
}
