// How much of pages may be in memory at once: those being read, and those whose clients have not taken them yet.
// Without a bound, fifty slow clients of large pages would need fifty times the byte budget.
import { ServiceError } from '../errors/service-error.ts'

export interface PageRoom {
  /** Room for a page that is about to be read; waits for it, and refuses when it takes too long (P114). */
  readonly reserve: (signal: AbortSignal) => Promise<Reservation>
}

export interface Reservation {
  /** Once the page is known, what it does not need is given back. */
  readonly keep: (bytes: number) => void
  readonly release: () => void
}

export interface PageRoomOptions {
  readonly pages: number
  readonly pageBytes: number
  readonly mostSecondsToWait: number
}

export function pageRoom({ pages, pageBytes, mostSecondsToWait }: PageRoomOptions): PageRoom {
  let free = pages * pageBytes
  // In the order of their coming, so that nobody waits for ever behind smaller ones.
  const waiting = new Set<() => void>()

  const giveBack = (bytes: number): void => {
    free += bytes
    for (const enter of waiting) {
      if (free < pageBytes) return
      waiting.delete(enter)
      free -= pageBytes
      enter()
    }
  }

  const reservation = (): Reservation => {
    let held = pageBytes
    const shrinkTo = (bytes: number): void => {
      const unused = held - bytes
      held = bytes
      // A single object may be larger than the budget of a page; then nothing is given back yet.
      giveBack(unused)
    }
    return { keep: shrinkTo, release: () => shrinkTo(0) }
  }

  return {
    reserve: async (signal) => {
      signal.throwIfAborted()
      if (free >= pageBytes && waiting.size === 0) {
        free -= pageBytes
        return reservation()
      }
      return new Promise((resolve, reject) => {
        const leave = (error: unknown): void => {
          waiting.delete(enter)
          clearTimeout(timer)
          signal.removeEventListener('abort', gone)
          reject(error)
        }
        const gone = () => leave(signal.reason)
        const enter = (): void => {
          clearTimeout(timer)
          signal.removeEventListener('abort', gone)
          resolve(reservation())
        }
        const timer = setTimeout(
          () => leave(new ServiceError('Overloaded', { retryAfterSeconds: 2 })),
          mostSecondsToWait * 1_000,
        )
        signal.addEventListener('abort', gone)
        waiting.add(enter)
      })
    },
  }
}
