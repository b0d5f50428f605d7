/** Reproducible random choices: the same seed makes the same choices. */
export interface Random {
  /** At least 0, less than 1. */
  readonly unit: () => number
  /** Both ends included. */
  readonly integer: (least: number, most: number) => number
  readonly chance: (probability: number) => boolean
  readonly pick: <T>(values: readonly [T, ...T[]]) => T
  /** Another source, whose choices do not depend on how often this one is used. */
  readonly branch: (number: number) => Random
}

export function seededRandom(seed: number): Random {
  let state = seed >>> 0
  // Mulberry32.
  const unit = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const integer = (least: number, most: number) => least + Math.floor(unit() * (most - least + 1))
  return {
    unit,
    integer,
    chance: (probability) => unit() < probability,
    pick: (values) => values[integer(0, values.length - 1)] ?? values[0],
    branch: (number) => seededRandom(Math.imul(seed + 1, 0x9e3779b1) ^ Math.imul(number + 1, 0x85ebca6b)),
  }
}
