// In front of the database: who may use it next, and for whose pages there is memory. A request that would have to wait too
// long is refused at once, before anything is done for it (P114, P165).
import { callerLines, type CallerLine, type Waiter } from './caller-lines.ts'
import type { Capacity } from './capacity.ts'
import type { RetryAfter } from './retry-after.ts'
import { overloaded, type ShedReason } from './shed.ts'

export interface Admission {
  /** Throws if `reserve` would refuse now: asked before a body is read. */
  readonly refuseEarly: (subject: string) => void
  /** A place for one request of a caller; waits for it, or refuses. */
  readonly reserve: (subject: string, signal: AbortSignal) => Promise<Reservation>
  readonly counts: () => AdmissionCounts
}

export interface Reservation {
  /** The database is done, and the page has so many bytes: its place, and the memory it does not need, are for others. */
  readonly keep: (bytes: number) => void
  readonly release: () => void
}

export interface AdmissionCounts {
  readonly working: number
  readonly waiting: number
  /** Of pages that are being read or sent. */
  readonly bytes: number
}

export interface AdmissionOptions {
  readonly capacity: Capacity
  readonly retryAfter: RetryAfter
  /** Of all pages together, from when they begin to be read until their clients have taken them. */
  readonly roomBytes: number
  /** What a page may need; it is taken before it is known. */
  readonly pageBytes: number
  /** Of the room, for callers that hold less than that: the slow readers of one cannot take the last of it (P168). */
  readonly keptBytes: number
  /** Whether the process is late with everything it does. */
  readonly isLate: () => boolean
  /** Milliseconds on a clock that only goes forward. */
  readonly elapsed: () => number
}

/** How many times longer a caller may wait whose requests are within its share: the queue is not of its making (P166). */
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
  /** It has no more under way than would be left for it if all callers wanted as much. */
  const isWithinShare = (subject: string): boolean =>
    lines.underWay(subject) <= capacity.places() / lines.callers()
  const isFull = (): boolean => lines.waiting() >= capacity.mostWaiting()
  const refuseIfLate = (subject: string): void => {
    // Not whoever is quiet: it would pay for the others.
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
        // A client may have gone while its page was read: what was given back then is not taken again.
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
      // Those who wait may lack memory that this caller may still take.
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
