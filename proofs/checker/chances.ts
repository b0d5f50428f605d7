// Chance that a seed repeats.
import { randomFrom } from '../harness/random.ts'

export interface Chance {
  /** From 0 up to this, without it. */
  readonly below: (limit: number) => number
  readonly one: <Item>(items: readonly Item[]) => Item
}

export function chances(seed: number): Chance {
  const { below } = randomFrom(seed)
  return {
    below,
    one: (items) => {
      const item = items[below(items.length)]
      if (item === undefined) throw new TypeError('nothing to choose from')
      return item
    },
  }
}
