// A quantity is flat if the median of its last third is hardly above that of its first. Medians, because memory and tables
// grow and shrink with every garbage collection and vacuum.
import type { Measures } from './measures.ts'

export interface Allowance {
  readonly name: keyof Measures
  readonly unit: string
  /** The last median may be at most `times` the first median plus `more`. */
  readonly times: number
  readonly more: number
}

export interface Flatness {
  readonly allowance: Allowance
  readonly first: number
  readonly last: number
  readonly isFlat: boolean
}

export function judgeFlatness(samples: readonly Measures[], allowance: Allowance): Flatness {
  const third = Math.floor(samples.length / 3)
  const values = samples.map((sample) => sample[allowance.name])
  const [first, last] = [median(values.slice(0, third)), median(values.slice(-third))]
  return { allowance, first, last, isFlat: third > 0 && last <= first * allowance.times + allowance.more }
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}
