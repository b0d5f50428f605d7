// Decides who may use the database next, and whose pages there is memory for. A request that would have to wait too long is
// refused at once, before anything is done for it (P114, P165).
import { callerLines, type CallerLine, type Waiter } from './caller-lines.ts'
import type { Capacity } from './capacity.ts'
import type { RetryAfter } from './retry-after.ts'
import { overloaded, type ShedReason } from './shed.ts'

export interface Admission {
  /** Throws if `reserve` would refuse now. To be called before a body is read. */
  readonly refuseEarly: (subject: string) => void
  /** Reserves a place for one request of a caller: waits for it, or refuses. */
  readonly reserve: (subject: string, signal: AbortSignal) => Promise<Reservation>
  readonly counts: () => AdmissionCounts
}

export interface Reservation {
  /** The database is done, and the page has this many bytes: frees its place, and the memory that it does not need. */
  readonly keep: (bytes: number) => void
  readonly release: () => void
}

export interface AdmissionCounts {
  readonly working: number
  readonly waiting: number
  /** The memory of pages that are being read or sent. */
  readonly bytes: number
}

export interface AdmissionOptions {
  readonly capacity: Capacity
  readonly retryAfter: RetryAfter
  /** The memory for all pages together, from when the service starts to read them until their clients have received them. */
  readonly roomBytes: number
  /** The most that a page may need; reserved before its size is known. */
  readonly pageBytes: number
  /**
   * The part of the room that is kept for callers that hold less than that: the slow readers of one caller cannot take the last
   * of it (P168).
   */
  readonly keptBytes: number
  /** Whether the event loop lags behind. */
  readonly isLate: () => boolean
  /** Milliseconds on a monotonic clock. */
  readonly elapsed: () => number
}

/** How many times longer a caller may wait whose requests are within its share: it did not cause the queue (P166). */
const patience = 3

export function openAdmission(options: AdmissionOptions): Admission {
  const { capacity, retryAfter, roomBytes, pageBytes, keptBytes, isLate, elapsed } = options
  const lines = callerLines()
  let working = 0
  let bytes = 0

  const hasMemory = (line: CallerLine): boolean => {
    const left = roomBytes - bytes - pageBytes
    return left >= keptBytes || (left >= 0 && line.bytes < keptBytes)
  }
  const hasPlace = (): boolean => working < capacity.places()
  const refusal = (reason: ShedReason): Error =>
    overloaded(hasPlace() && reason !== 'eventLoop' ? 'memory' : reason, retryAfter.refused())
  /** Whether the caller has no more requests than its share if all callers wanted equally much. */
  const isWithinShare = (subject: string): boolean =>
    lines.underWay(subject) <= capacity.places() / lines.callers()
  const isFull = (): boolean => lines.waiting() >= capacity.mostWaiting()
  const refuseIfLate = (subject: string): void => {
    // A quiet caller is not refused: it would pay for the others.
    const isQuiet = lines.underWay(subject) === 0 || lines.isAnyLonger(subject)
    if (!isQuiet && isLate()) throw refusal('eventLoop')
  }
  const letIn = (): void => {
    while (hasPlace()) {
      const next = lines.next(hasMemory)
      if (next === undefined) return
      next.enter()
    }
  }

  const enter = (subject: string): Reservation => {
    const since = elapsed()
    let atWork = 1
    let held = pageBytes
    working += 1
    bytes += pageBytes
    lines.add(subject, { working: 1, bytes: pageBytes })
    const beside = working
    const shrinkTo = (needed: number): void => {
      if (atWork === 0 && needed === held) return
      if (atWork === 1) {
        capacity.served({ milliseconds: elapsed() - since, beside })
        retryAfter.served()
      }
      working -= atWork
      bytes += needed - held
      lines.add(subject, { working: -atWork, bytes: needed - held })
      atWork = 0
      held = needed
      letIn()
    }
    let released = false
    return {
      keep: (needed) => {
        // The client may have disconnected while its page was read: memory that was released then is not taken again.
        if (!released) shrinkTo(needed)
      },
      release: () => {
        released = true
        shrinkTo(0)
      },
    }
  }

  const wait = (subject: string, signal: AbortSignal): Promise<Reservation> =>
    new Promise((resolve, reject) => {
      const stop = (): void => {
        clearTimeout(timer)
        signal.removeEventListener('abort', gone)
      }
      const leave = (error: unknown): void => {
        stop()
        lines.leave(subject, waiter)
        reject(error)
      }
      const gone = (): void => leave(signal.reason)
      let timesLate = 0
      const late = (): void => {
        timesLate += 1
        if (timesLate > patience || !isWithinShare(subject)) leave(refusal('waited'))
        else timer = setTimeout(late, capacity.longestMilliseconds())
      }
      let timer = setTimeout(late, capacity.longestMilliseconds())
      const waiter: Waiter = {
        enter: () => {
          stop()
          resolve(enter(subject))
        },
        refuse: () => leave(refusal('displaced')),
      }
      signal.addEventListener('abort', gone)
      lines.join(subject, waiter)
      // The requests that are waiting may lack memory that this caller may still take.
      letIn()
    })

  return {
    refuseEarly: (subject) => {
      refuseIfLate(subject)
      if (isFull() && lines.longestBut(subject) === undefined) throw refusal('queue')
    },
    reserve: async (subject, signal) => {
      signal.throwIfAborted()
      refuseIfLate(subject)
      if (lines.waiting() === 0) {
        capacity.nobodyWaits()
        if (hasPlace() && hasMemory(lines.of(subject))) return enter(subject)
      } else if (isFull()) {
        const displaced = lines.longestBut(subject)
        if (displaced === undefined) throw refusal('queue')
        displaced.refuse()
      }
      return wait(subject, signal)
    },
    counts: () => ({ working, waiting: lines.waiting(), bytes }),
  }
}
