// Chance that a seed repeats.

export interface Chance {
  /** From 0 up to this, without it. */
  readonly below: (limit: number) => number
  readonly one: <Item>(items: readonly Item[]) => Item
}

export function chances(seed: number): Chance {
  let state = seed | 0
  /** Mulberry32. */
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (limit: number): number => Math.floor(next() * limit)
  return {
    below,
    one: (items) => {
      const item = items[below(items.length)]
      if (item === undefined) throw new TypeError('nothing to choose from')
      return item
    },
  }
}
