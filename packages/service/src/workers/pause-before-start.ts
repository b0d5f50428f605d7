/** A worker that served for so long did not die of how it was started. */
export const settledAfterSeconds = 10

const mostSeconds = 30

/** The first time there is none: one death may be an accident. From then on it doubles, up to half a minute. */
export const pauseBeforeStart = (quickDeathsInARow: number): number =>
  quickDeathsInARow <= 1 ? 0 : Math.min(mostSeconds, 2 ** (quickDeathsInARow - 2))
