import type { BenchWalk } from '../load/wrk.ts'

/** How many different pages a load requests: enough to cover the whole collection. */
const pagesAsked = 256

/** For a larger answer, finding the cursor of the next page would cost wrk an eighth of the machine. */
const largestWalkedPage = 100

export interface Depths {
  readonly pageSize: number
  readonly count: number
  /** The distance from one page to the next. */
  readonly step: number
  /** How many consecutive pages are read from each of them on. */
  readonly walked: number
  /** The number of the object before each page. */
  readonly all: readonly number[]
  /** Some of these, from the first to the last. */
  readonly some: readonly number[]
}

export function depthsOf(objects: number, pageSize: number): Depths {
  // One more object than the page: every measured page has a next page.
  const room = objects - pageSize - 2
  const count = Math.min(pagesAsked, room)
  const step = Math.floor(room / count)
  const walked = pageSize > largestWalkedPage ? 1 : Math.max(1, Math.floor(step / pageSize))
  const all = Array.from({ length: count }, (_, i) => i * step)
  const some = [0, 0.1, 0.5, 0.9, 1].map((share) => all[Math.round(share * (count - 1))] ?? 0)
  return { pageSize, count, step, walked, all, some }
}

/** As a client does: from each of the positions to the next one. */
export const walkOf = (
  { pageSize, step, walked }: Depths,
  walk: Pick<BenchWalk, 'next' | 'requestFor'>,
): BenchWalk | undefined => (walked > 1 ? { ...walk, pageSize, step } : undefined)
