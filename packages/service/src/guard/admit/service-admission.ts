// The two queues of a process: one for pages, which are short, and one for batches, which arrive at the pace of their clients.
import { limits } from '@octavo/protocol'
import type { ServeOptions } from '../../config/options.ts'
import { openAdmission, type Admission } from './admission.ts'
import { measuredCapacity } from './capacity.ts'
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
      capacity: measuredCapacity({
        leastPlaces: Math.min(2, pagePlaces),
        mostPlaces: pagePlaces,
        mostMilliseconds: queueMilliseconds,
        elapsed,
      }),
      retryAfter: retryAfter(random),
      keptPlaces: keptOf(pagePlaces),
      roomBytes: roomPages * pageBytes,
      pageBytes,
      keptBytes: Math.floor(roomPages / 4) * pageBytes,
      isLate: loop.isLate,
      elapsed,
    }),
    batches: openAdmission({
      // Batches of one type are committed together: running fewer at once would not make them faster.
      capacity: measuredCapacity({
        leastPlaces: batchPlaces,
        mostPlaces: batchPlaces,
        mostMilliseconds: 10_000,
        elapsed,
      }),
      retryAfter: retryAfter(random),
      keptPlaces: keptOf(batchPlaces),
      roomBytes: batchPlaces * pageBytes,
      pageBytes,
      keptBytes: 0,
      isLate: () => false,
      elapsed,
    }),
    // A page meets few of them, then; a large pool belongs to a database that can do more at once.
    streams: streamTurns(Math.max(3, Math.floor(pagePlaces / 4)), elapsed),
    stop: loop.stop,
  }
}

/** A quarter, and at least one unless there is only one: it is everybody's. */
const keptOf = (places: number): number => Math.min(places - 1, Math.max(1, Math.floor(places / 4)))
