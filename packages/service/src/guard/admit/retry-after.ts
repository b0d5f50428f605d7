// Says when a refused request should be retried. If four of five requests are refused and all of those came back after one
// second, there would be too many again; spread over five seconds, there are as many as can be served.

export interface RetryAfter {
  readonly served: () => void
  /** Counts a refusal; returns after how many whole seconds to retry (P106), different from one refusal to the next. */
  readonly refused: () => number
}

/** The weight of the last outcome in the share of refusals. */
const weight = 0.01
const mostSeconds = 30

/** `random` returns a number from 0 up to, but not including, 1. */
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
