/** Pseudo-random numbers: the same seed draws the same ones. */
export interface Random {
  /** At least 0, less than 1. */
  readonly next: () => number
  /** A whole number from 0 to just below the bound. */
  readonly below: (bound: number) => number
}

/** mulberry32 */
export function randomFrom(seed: number): Random {
  let state = seed >>> 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  return { next, below: (bound) => Math.floor(next() * bound) }
}
