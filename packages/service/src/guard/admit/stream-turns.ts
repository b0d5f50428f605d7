// Whose stream reads its next page. Without turns, streams would fill every place that pages have, and each page would be read beside as
// many others as the database can take, as slowly as all of them together. So only a few pages of streams are read at a time, and no other
// page is read beside more of them than that (decision 38).
import { ServiceError } from '../../base/errors/service-error.ts'
import { callerLines, type CallerLine, type Waiter } from './caller-lines.ts'
import { overloaded } from './shed.ts'

export interface StreamTurns {
  /**
   * Waits for a turn, fairly by caller like every request (P166). No caller has all turns at once, because its pages may take long: the
   * last one is left for another. Returns the function that ends the turn.
   */
  readonly take: (subject: string, signal: AbortSignal) => Promise<() => void>
}

const secondsAfterWaiting = 1

/** `elapsed` returns milliseconds on a monotonic clock. */
export function streamTurns(places: number, elapsed: () => number): StreamTurns {
  const lines = callerLines(elapsed)
  let taken = 0

  const mayTake = ({ working }: CallerLine): boolean => taken < places && working < places - 1

  const begin = (subject: string): (() => void) => {
    let isOver = false
    taken += 1
    lines.change(subject, { working: 1, bytes: 0 })
    return () => {
      if (isOver) return
      isOver = true
      taken -= 1
      lines.change(subject, { working: -1, bytes: 0 })
      lines.next(mayTake)?.enter()
    }
  }

  return {
    take: async (subject, signal) => {
      signal.throwIfAborted()
      if (mayTake(lines.of(subject))) return begin(subject)
      return new Promise((resolve, reject) => {
        const leave = (error: unknown): void => {
          signal.removeEventListener('abort', aborted)
          lines.leave(subject, waiter)
          reject(error)
        }
        // A ServiceError says that the page took too long (P167). It has spent that time waiting, so it is refused like others that did.
        const aborted = (): void =>
          leave(
            signal.reason instanceof ServiceError ? overloaded('waited', secondsAfterWaiting) : signal.reason,
          )
        const waiter: Waiter = {
          enter: () => {
            signal.removeEventListener('abort', aborted)
            resolve(begin(subject))
          },
          refuse: () => leave(overloaded('displaced', secondsAfterWaiting)),
        }
        signal.addEventListener('abort', aborted)
        lines.join(subject, waiter)
      })
    },
  }
}
