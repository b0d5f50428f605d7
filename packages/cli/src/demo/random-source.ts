// Pseudo-random numbers that are the same for the same seed on every machine: the demo depends on its seed alone. Each
// object has its own source, so any one of ten million can be generated without the ones before it.

export interface RandomSource {
  /** A whole number from 0 to just below `limit`. */
  readonly below: (limit: number) => number
  readonly between: (least: number, most: number) => number
  readonly pick: <Item>(items: readonly [Item, ...Item[]]) => Item
  /** True with this probability, in percent. */
  readonly percent: (share: number) => boolean
}

/** Mulberry32, seeded with a mix of the seed, the kind of object and its number. */
export function randomSource(seed: number, kind: number, number: number): RandomSource {
  let state = mix(mix(mix(seed) ^ kind) ^ number)
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0
    let bits = Math.imul(state ^ (state >>> 15), state | 1)
    bits ^= bits + Math.imul(bits ^ (bits >>> 7), bits | 61)
    return ((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (limit: number): number => Math.floor(next() * limit)
  return {
    below,
    between: (least, most) => least + below(most - least + 1),
    pick: (items) => items[below(items.length)] ?? items[0],
    percent: (share) => next() * 100 < share,
  }
}

/** The finalizer of MurmurHash3: neighbouring numbers become unrelated ones. */
function mix(value: number): number {
  let bits = value | 0
  bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b)
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35)
  return bits ^ (bits >>> 16)
}
