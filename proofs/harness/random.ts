import { seededRandom } from '@octavo/model'

/** Pseudo-random numbers: the same seed draws the same ones. */
export interface Random {
  /** At least 0, less than 1. */
  readonly next: () => number
  /** A whole number from 0 to just below the bound. */
  readonly below: (bound: number) => number
}

export function randomFrom(seed: number): Random {
  const { unit } = seededRandom(seed)
  return { next: unit, below: (bound) => Math.floor(unit() * bound) }
}
