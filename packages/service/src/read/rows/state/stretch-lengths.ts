// How many rows a statement reads at most where each has to be checked. The lengths are literals in the text of the statement,
// like the steps of a page, so there are only a few of them.

export interface StretchLengths {
  /** Used one after the other while matches are rare; then the last one repeats. */
  readonly usual: readonly number[]
  /** Used where all rows of a stretch are versions of one object. */
  readonly longer: readonly number[]
}

export const stretchLengths: StretchLengths = { usual: [1_000, 10_000, 50_000], longer: [500_000, 5_000_000] }
