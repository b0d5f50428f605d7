// Decides who may use the database next, and whose pages there is memory for. A request that finds the queue full is refused at
// once, and one that waits is refused when its time in the queue is up: nothing has been read for either (P114, P165).
import { ServiceError } from '../../base/errors/service-error.ts'
import { callerLines, type CallerLine, type Waiter } from './caller-lines.ts'
import type { RetryAfter } from './retry-after.ts'
import { overloaded, type ShedReason } from './shed.ts'

export interface Admission {
  /** Throws if `reserve` would refuse now. To be called before a body is read. */
  readonly refuseEarly: (subject: string) => void
  /** Reserves a place for one request of a caller: waits for it, or refuses. */
  readonly reserve: (subject: string, signal: AbortSignal) => Promise<Reservation>
  /** Reserves memory for the body of a request, or refuses to read it. Call `keep` when its real size is known. */
  readonly holdBody: (subject: string, bytes: number) => Reservation
  readonly counts: () => AdmissionCounts
}

export interface Reservation {
  /** Frees the place, because the database is done, and all of the memory but these bytes. */
  readonly keep: (bytes: number) => void
  /** Frees everything. */
  readonly release: () => void
}

export interface AdmissionCounts {
  readonly working: number
  readonly waiting: number
  /** The memory of pages that are being read or sent, and of bodies of requests. */
  readonly bytes: number
}

export interface AdmissionOptions {
  /** How many requests may be at work at once. */
  readonly places: number
  /** How many may wait. */
  readonly mostWaiting: number
  /** How long one may wait. */
  readonly mostMilliseconds: number
  readonly retryAfter: RetryAfter
  /**
   * The memory for all pages together, from when the service starts to read them until their clients have received them, and for the
   * bodies of requests until they are answered.
   */
  readonly roomBytes: number
  /** The most that a page may need; reserved before its size is known. */
  readonly pageBytes: number
  /** How many of the places are set aside for callers that hold none: slow requests of one caller cannot take the last (P166). */
  readonly setAsidePlaces: number
  /**
   * How much of the room is set aside for callers that hold less than that: the slow readers of one caller cannot take the last of
   * it (P168).
   */
  readonly setAsideBytes: number
  /** Whether the event loop lags behind. */
  readonly isLate: () => boolean
  /** Milliseconds on a monotonic clock. */
  readonly elapsed: () => number
}

export function openAdmission(options: AdmissionOptions): Admission {
  const { places, mostWaiting, mostMilliseconds, setAsidePlaces, roomBytes, pageBytes, setAsideBytes } =
    options
  const { retryAfter, isLate, elapsed } = options
  const lines = callerLines(elapsed)
  let working = 0
  let bytes = 0

  const hasMemory = (line: CallerLine, needed: number): boolean => {
    const left = roomBytes - bytes - needed
    return left >= setAsideBytes || (left >= 0 && line.bytes < setAsideBytes)
  }
  const hasPlace = (line: CallerLine): boolean =>
    working < (line.working === 0 ? places : places - setAsidePlaces)
  const mayEnter = (line: CallerLine): boolean => hasPlace(line) && hasMemory(line, pageBytes)
  /** Where a place is free and only memory is missing, that is the reason. */
  const refusal = (subject: string, reason: ShedReason): Error => {
    const line = lines.of(subject)
    const lacksMemory = hasPlace(line) && !hasMemory(line, pageBytes)
    return overloaded(lacksMemory && reason !== 'eventLoop' ? 'memory' : reason, retryAfter.refused())
  }
  /** Whether the caller waits because of another: that one has more requests, and this one no more than an equal share of places. */
  const waitsForAnother = (subject: string): boolean =>
    lines.isAnotherLonger(subject) && lines.underWay(subject) <= Math.max(1, places / lines.callers())
  const isQueueFull = (): boolean => lines.waiting() >= mostWaiting
  const refuseIfLate = (subject: string): void => {
    // A quiet caller is not refused, because the others have caused the delay.
    const isQuiet = lines.underWay(subject) === 0 || lines.isAnotherLonger(subject)
    if (!isQuiet && isLate()) throw refusal(subject, 'eventLoop')
  }
  const letIn = (): void => {
    for (let next = lines.next(mayEnter); next !== undefined; next = lines.next(mayEnter)) next.enter()
  }

  const hold = (subject: string, wanted: { readonly places: 0 | 1; readonly bytes: number }): Reservation => {
    let atWork: number = wanted.places
    let held = wanted.bytes
    working += atWork
    bytes += held
    lines.change(subject, { working: atWork, bytes: held })
    const shrinkTo = (needed: number): void => {
      if (atWork === 0 && needed === held) return
      if (atWork === 1) retryAfter.served()
      working -= atWork
      bytes += needed - held
      lines.change(subject, { working: -atWork, bytes: needed - held })
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

  const enter = (subject: string): Reservation => hold(subject, { places: 1, bytes: pageBytes })

  const wait = (subject: string, signal: AbortSignal): Promise<Reservation> =>
    new Promise((resolve, reject) => {
      const stop = (): void => {
        clearTimeout(timer)
        signal.removeEventListener('abort', aborted)
      }
      const leave = (error: unknown): void => {
        stop()
        lines.leave(subject, waiter)
        reject(error)
      }
      // A ServiceError says that the request took too long (P167). It has spent that time waiting, so it is refused like others that did.
      const aborted = (): void =>
        leave(signal.reason instanceof ServiceError ? refusal(subject, 'waited') : signal.reason)
      const waitedTooLong = (): void => {
        // A caller within its share is not refused because of another (P166): it waits once more as long (decision 15).
        if (waitsForAnother(subject)) timer = setTimeout(waitedTooLong, mostMilliseconds)
        else leave(refusal(subject, 'waited'))
      }
      let timer = setTimeout(waitedTooLong, mostMilliseconds)
      const waiter: Waiter = {
        enter: () => {
          stop()
          resolve(enter(subject))
        },
        refuse: () => leave(refusal(subject, 'displaced')),
      }
      signal.addEventListener('abort', aborted)
      lines.join(subject, waiter)
    })

  return {
    refuseEarly: (subject) => {
      refuseIfLate(subject)
      const isRefused =
        !mayEnter(lines.of(subject)) && isQueueFull() && lines.displaceableFor(subject) === undefined
      if (isRefused) throw refusal(subject, 'queue')
    },
    reserve: async (subject, signal) => {
      signal.throwIfAborted()
      refuseIfLate(subject)
      // A request that waits is let in as soon as there is a place for it, so a place that is free now is free for this one.
      if (mayEnter(lines.of(subject))) return enter(subject)
      if (isQueueFull()) {
        const displaced = lines.displaceableFor(subject)
        if (displaced === undefined) throw refusal(subject, 'queue')
        displaced.refuse()
      }
      return wait(subject, signal)
    },
    holdBody: (subject, needed) => {
      if (!hasMemory(lines.of(subject), needed)) throw overloaded('memory', retryAfter.refused())
      return hold(subject, { places: 0, bytes: needed })
    },
    counts: () => ({ working, waiting: lines.waiting(), bytes }),
  }
}
