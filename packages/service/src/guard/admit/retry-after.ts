// When a refused request should come back. If four of five are refused, all that were refused in a second would come
// back in the next one; spread over five seconds they are as many as can be served.

export interface RetryAfter {
  readonly served: () => void
  /** Whole seconds (P106), different from one refusal to the next. */
  readonly refused: () => number
}

/** Of the last outcome in the share of refusals. */
const weight = 0.01
const mostSeconds = 30

/** `random` gives a number from 0 to just below 1. */
export function retryAfter(random: () => number): RetryAfter {
  let refusedShare = 0
  return {
    served: () => {
      refusedShare -= weight * refusedShare
    },
    refused: () => {
      refusedShare += weight * (1 - refusedShare)
      const spread = Math.min(mostSeconds, Math.ceil(1 / (1 - refusedShare)))
      return 1 + Math.floor(random() * spread)
    },
  }
}
