// How many requests may be at work and how many may wait, from how long they take. A burst may use every place and wait for a
// while. A queue that does not end is overload (CoDel's rule): then waiting helps nobody, so few may wait; and where
// requests slow each other down, fewer at work are done sooner and no fewer of them in a second.

export interface CapacityOptions {
  /** How many may be at work at once, whatever they do to each other. */
  readonly leastPlaces: number
  readonly mostPlaces: number
  /** How long a request may have to wait; a queue that has lasted longer is overload. */
  readonly mostMilliseconds: number
  /** Milliseconds on a clock that only goes forward. */
  readonly elapsed: () => number
}

export interface Capacity {
  readonly places: () => number
  readonly mostWaiting: () => number
  /** How long one that waits is kept, if all goes slower than it looked. */
  readonly longestMilliseconds: () => number
  readonly served: (request: ServedRequest) => void
  /** Said whenever there is no queue. */
  readonly nobodyWaits: () => void
}

interface ServedRequest {
  readonly milliseconds: number
  /** How many were at work when it began, itself included. */
  readonly beside: number
}

/** Of the last request in the averages. */
const weight = 0.05
/** How many times longer a request may take than beside the least number, before there are fewer places. */
const mostSlowdown = 2
/** Ten requests move the number of places by one. */
const step = 0.1
/** Each that waits holds a connection and some kilobytes. */
const hardNumber = 1_000

export function measuredCapacity(options: CapacityOptions): Capacity {
  const { leastPlaces, mostPlaces, mostMilliseconds, elapsed } = options
  // Averages of logarithms: one page that takes a thousand times as long as the others moves them little.
  let recent: number | undefined
  let unhurried: number | undefined
  let limit = mostPlaces
  let lastEmptyAt = elapsed()

  const isOverload = (): boolean => elapsed() - lastEmptyAt > mostMilliseconds
  const places = (): number => (isOverload() ? Math.floor(limit) : mostPlaces)
  const usualMilliseconds = (): number => Math.exp(recent ?? 0)
  // Where pages take long, a burst may wait as long as two of them; in overload whoever must be refused hears it soon.
  const longest = (): number =>
    isOverload() ? mostMilliseconds : Math.max(mostMilliseconds, 2 * usualMilliseconds())

  return {
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
      // Beside others nobody is faster than without them: what is faster now was slower for another reason before.
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
