// Whose stream reads its next page. Streams would fill every place that pages have: each page would then be read beside as many
// others as the database can take, and take as long as all of them together. So only a few pages of streams are read at a time,
// and pages that were asked for meet no more of them than that (decision 38).
import { ServiceError } from '../../base/errors/service-error.ts'
import { callerLines, type CallerLine, type Waiter } from './caller-lines.ts'
import { overloaded } from './shed.ts'

export interface StreamTurns {
  /**
   * Waits for a turn, fairly by caller like every request (P166): the last one is for another caller than has all the others, whose
   * pages may take long. Returns what ends it.
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
    lines.add(subject, { working: 1, bytes: 0 })
    return () => {
      if (isOver) return
      isOver = true
      taken -= 1
      lines.add(subject, { working: -1, bytes: 0 })
      lines.next(mayTake)?.enter()
    }
  }

  return {
    take: async (subject, signal) => {
      signal.throwIfAborted()
      if (mayTake(lines.of(subject))) return begin(subject)
      return new Promise((resolve, reject) => {
        const leave = (error: unknown): void => {
          signal.removeEventListener('abort', gone)
          lines.leave(subject, waiter)
          reject(error)
        }
        // If the time of the page is up, it was not its scan that took too long.
        const gone = (): void =>
          leave(
            signal.reason instanceof ServiceError ? overloaded('waited', secondsAfterWaiting) : signal.reason,
          )
        const waiter: Waiter = {
          enter: () => {
            signal.removeEventListener('abort', gone)
            resolve(begin(subject))
          },
          refuse: () => leave(overloaded('displaced', secondsAfterWaiting)),
        }
        signal.addEventListener('abort', gone)
        lines.join(subject, waiter)
      })
    },
  }
}
