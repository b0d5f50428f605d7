// The two queues of a process: one for pages, which are short, and one for batches, which arrive at the pace of their clients.
import { limits } from '@octavo/protocol'
import type { ServeOptions } from '../../config/options.ts'
import { openAdmission, type Admission } from './admission.ts'
import { watchEventLoop } from './event-loop.ts'
import { retryAfter } from './retry-after.ts'
import { streamTurns, type StreamTurns } from './stream-turns.ts'

export interface ServiceAdmission {
  readonly pages: Admission
  readonly batches: Admission
  /** For pages of streams, before they queue like other pages. */
  readonly streams: StreamTurns
  readonly stop: () => void
}

interface AdmissionSources {
  /** Milliseconds on a monotonic clock. */
  readonly elapsed: () => number
  /** Returns a number from 0 up to, but not including, 1. */
  readonly random: () => number
}

const pageBytes = limits.page.byteBudget
/** About how long a page takes. From it follows how many can have their turn within the time that one may wait. */
const usualPageMs = 8
/** A batch may wait longer: its client sends it at its own pace. */
const mostBatchMs = 10_000
const batchesWaitingForEach = 10
/** Each waiting request holds a connection and some kilobytes. */
const mostWaiting = 1_000

export function serviceAdmission(
  { databasePoolSize, queueMilliseconds }: Pick<ServeOptions, 'databasePoolSize' | 'queueMilliseconds'>,
  { elapsed, random }: AdmissionSources,
): ServiceAdmission {
  // Health checks, the catalog and pruning need a connection too.
  const pagePlaces = Math.max(1, databasePoolSize - Math.ceil(databasePoolSize / 10))
  // A batch takes a connection once it is large, and pages need some too.
  const batchPlaces = Math.max(1, Math.floor(databasePoolSize / 2))
  // As many pages as can be read at once, and some that clients are still receiving.
  const roomPages = databasePoolSize + 6
  const loop = watchEventLoop({ mostMilliseconds: queueMilliseconds, everyMilliseconds: 20, elapsed })
  return {
    pages: openAdmission({
      places: pagePlaces,
      mostWaiting: Math.min(mostWaiting, Math.ceil((pagePlaces * queueMilliseconds) / usualPageMs)),
      mostMilliseconds: queueMilliseconds,
      retryAfter: retryAfter(random),
      setAsidePlaces: setAsideOf(pagePlaces),
      roomBytes: roomPages * pageBytes,
      pageBytes,
      setAsideBytes: Math.floor(roomPages / 4) * pageBytes,
      isLate: loop.isLate,
      elapsed,
    }),
    batches: openAdmission({
      places: batchPlaces,
      mostWaiting: batchPlaces * batchesWaitingForEach,
      mostMilliseconds: mostBatchMs,
      retryAfter: retryAfter(random),
      setAsidePlaces: setAsideOf(batchPlaces),
      roomBytes: batchPlaces * pageBytes,
      pageBytes,
      setAsideBytes: 0,
      isLate: () => false,
      elapsed,
    }),
    // So few that they do not slow down the other pages. A larger pool belongs to a database that can do more at once.
    streams: streamTurns(Math.max(3, Math.floor(pagePlaces / 4)), elapsed),
    stop: loop.stop,
  }
}

/** A quarter, and at least one of several; a single place is for everybody. */
const setAsideOf = (places: number): number => Math.min(places - 1, Math.max(1, Math.floor(places / 4)))
