// Whether this process is late with everything. Then latency comes from us and not from the database, and the line in front
// of the database does not see it: the requests wait in sockets.

export interface EventLoopWatch {
  readonly isLate: () => boolean
  readonly stop: () => void
}

export interface EventLoopOptions {
  readonly mostMilliseconds: number
  readonly everyMilliseconds: number
  /** Milliseconds on a clock that only goes forward. */
  readonly elapsed: () => number
}

/** Late twice in a row: once may be a garbage collection, or one large page. */
export function watchEventLoop(options: EventLoopOptions): EventLoopWatch {
  const { mostMilliseconds, everyMilliseconds, elapsed } = options
  let lookedAt = elapsed()
  let timesLate = 0
  const timer = setInterval(() => {
    const now = elapsed()
    timesLate = now - lookedAt - everyMilliseconds > mostMilliseconds ? timesLate + 1 : 0
    lookedAt = now
  }, everyMilliseconds)
  timer.unref()
  return { isLate: () => timesLate > 1, stop: () => clearInterval(timer) }
}
