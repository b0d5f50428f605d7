// How many rows a statement reads at most where each has to be looked at. The lengths stand in the text of the statement, as the
// steps of a page do, so they are few.

export interface StretchLengths {
  /** One after the other while matches are rare, and then the last one again and again. */
  readonly usual: readonly number[]
  /** Where all rows of a stretch are one object, as it was and as it is. */
  readonly longer: readonly number[]
}

export const stretchLengths: StretchLengths = { usual: [1_000, 10_000, 50_000], longer: [500_000, 5_000_000] }
