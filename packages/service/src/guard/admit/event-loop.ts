// Detects that the event loop of this process lags. Then the latency comes from this process and not from the database, and the
// queue in front of the database does not see it: the requests wait in sockets.

export interface EventLoopWatch {
  readonly isLate: () => boolean
  readonly stop: () => void
}

export interface EventLoopOptions {
  readonly mostMilliseconds: number
  readonly everyMilliseconds: number
  /** Milliseconds on a monotonic clock. */
  readonly elapsed: () => number
}

/** It must lag twice in a row: once may be a garbage collection, or one large page. */
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
