// How many requests may be at work and how many may wait, computed from how long they take. A burst may use every place and wait
// for a while. A queue that never empties is overload (CoDel's rule): then waiting helps no request, so few may wait. Where
// requests slow each other down, fewer at work finish sooner, with the same throughput.

export interface CapacityOptions {
  /** How many may always be at work at once, however much they slow each other down. */
  readonly leastPlaces: number
  readonly mostPlaces: number
  /** How long a request may have to wait; a queue that has lasted longer is overload. */
  readonly mostMilliseconds: number
  /** Milliseconds on a monotonic clock. */
  readonly elapsed: () => number
}

export interface Capacity {
  readonly mostPlaces: number
  /** How many places there are now: fewer than the most while requests slow each other down. */
  readonly places: () => number
  readonly mostWaiting: () => number
  /** How long a request may wait at most, if everything turns out slower than expected. */
  readonly longestMilliseconds: () => number
  readonly served: (request: ServedRequest) => void
  /** To be called whenever there is no queue. */
  readonly nobodyWaits: () => void
}

interface ServedRequest {
  readonly milliseconds: number
  /** How many requests were at work when it began, including itself. */
  readonly beside: number
}

/** The weight of the last request in the averages. */
const weight = 0.05
/** How many times longer a request may take than with the least number at work, before the number of places is reduced. */
const mostSlowdown = 2
/** Ten requests change the number of places by one. */
const step = 0.1
/** Each waiting request holds a connection and some kilobytes. */
const hardNumber = 1_000

export function measuredCapacity(options: CapacityOptions): Capacity {
  const { leastPlaces, mostPlaces, mostMilliseconds, elapsed } = options
  // Averages of logarithms: one page that takes a thousand times as long as the others hardly changes them.
  let recent: number | undefined
  let unhurried: number | undefined
  let limit = mostPlaces
  let lastEmptyAt = elapsed()

  const isOverload = (): boolean => elapsed() - lastEmptyAt > mostMilliseconds
  const places = (): number => (isOverload() ? Math.floor(limit) : mostPlaces)
  const usualMilliseconds = (): number => Math.exp(recent ?? 0)
  // Where pages take long, a burst may wait as long as two of them take. In overload, a request that must be refused is refused
  // soon.
  const longest = (): number =>
    isOverload() ? mostMilliseconds : Math.max(mostMilliseconds, 2 * usualMilliseconds())

  return {
    mostPlaces,
    places,
    mostWaiting: () => {
      if (recent === undefined) return hardNumber
      const most = isOverload() ? places() : Math.round((longest() * mostPlaces) / usualMilliseconds())
      return Math.min(hardNumber, most)
    },
    longestMilliseconds: longest,
    served: ({ milliseconds, beside }) => {
      const log = Math.log(Math.max(milliseconds, 0.001))
      recent = average(recent, log)
      if (beside <= leastPlaces) unhurried = average(unhurried, log)
      // Other requests cannot make a request faster. So if requests are faster now, they were slower before for another reason.
      unhurried = Math.min(unhurried ?? recent, recent)
      const isSlowed = recent - unhurried > Math.log(mostSlowdown)
      if (!isOverload()) limit = mostPlaces
      else if (isSlowed) limit = Math.max(leastPlaces, limit - step)
      else limit = Math.min(mostPlaces, limit + step)
    },
    nobodyWaits: () => {
      lastEmptyAt = elapsed()
    },
  }
}

const average = (before: number | undefined, value: number): number =>
  before === undefined ? value : before + weight * (value - before)
