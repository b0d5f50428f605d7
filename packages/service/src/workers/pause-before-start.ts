/** A worker that served for this long did not die because of how it was started. */
export const settledAfterSeconds = 10

const mostSeconds = 30

/** Zero the first time: one death may be an accident. Then it doubles each time, up to half a minute. */
export const pauseBeforeStart = (quickDeathsInARow: number): number =>
  quickDeathsInARow <= 1 ? 0 : Math.min(mostSeconds, 2 ** (quickDeathsInARow - 2))
