// Counts the different values of a column in bounded memory: of each value it keeps a hash of 64 bits. That two different
// values of a million have the same hash is less likely than one in ten million.

export interface DistinctCount {
  readonly add: (text: string) => void
  readonly distinct: () => number
  /** How many values had been there before. */
  readonly repeated: () => number
  /** Whether all values were counted. Otherwise there are more different values than `distinct`, and many of them repeat. */
  readonly isExact: () => boolean
}

/** Every column is counted up to here. */
export const countedOfEveryColumn = 4_096
/** A column with more repetitions than this is not a key, and not worth its memory. */
const mostRepeated = 0.2
const firstCapacity = 1_024

export function distinctCount({ toTheEnd }: { readonly toTheEnd: boolean }): DistinctCount {
  let high = new Uint32Array(firstCapacity)
  let low = new Uint32Array(firstCapacity)
  let distinct = 0
  let repeated = 0
  let isExact = true

  /** Returns whether the hash is new. */
  const put = (h: number, l: number): boolean => {
    const mask = high.length - 1
    let at = l & mask
    while (high[at] !== 0 || low[at] !== 0) {
      if (high[at] === h && low[at] === l) return false
      at = (at + 1) & mask
    }
    high[at] = h
    low[at] = l
    return true
  }

  const grow = (): void => {
    const [h, l] = [high, low]
    high = new Uint32Array(h.length * 2)
    low = new Uint32Array(h.length * 2)
    for (let at = 0; at < h.length; at += 1) if (h[at] !== 0 || l[at] !== 0) put(h[at] ?? 0, l[at] ?? 0)
  }

  const stop = (): void => {
    isExact = false
    high = low = new Uint32Array(0)
  }

  return {
    add: (text) => {
      if (!isExact) return
      const [h, l] = hashOf(text)
      if (put(h, l)) distinct += 1
      else repeated += 1
      if (distinct * 2 > high.length) grow()
      if (distinct < countedOfEveryColumn) return
      if (!toTheEnd || repeated > (distinct + repeated) * mostRepeated) stop()
    },
    distinct: () => distinct,
    repeated: () => repeated,
    isExact: () => isExact,
  }
}

/** Two hashes of 32 bits, mixed as in cyrb53 and murmur3; never both 0, which means an empty slot. */
function hashOf(text: string): readonly [number, number] {
  let a = 0xdeadbeef
  let b = 0x41c6ce57
  for (let i = 0; i < text.length; i += 1) {
    const unit = text.charCodeAt(i)
    a = Math.imul(a ^ unit, 2_654_435_761)
    b = Math.imul(b ^ unit, 1_597_334_677)
  }
  a = Math.imul(a ^ (a >>> 16), 2_246_822_507) ^ Math.imul(b ^ (b >>> 13), 3_266_489_909)
  b = Math.imul(b ^ (b >>> 16), 2_246_822_507) ^ Math.imul(a ^ (a >>> 13), 3_266_489_909)
  return [a >>> 0 || 1, b >>> 0]
}
