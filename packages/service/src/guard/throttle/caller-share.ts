// How many requests a caller may send: a token bucket for each caller, which holds a burst and refills at the rate.
import { ServiceError } from '../../base/errors/service-error.ts'

export interface ShareOptions {
  /** No limit when zero. */
  readonly perSecond: number
  readonly burst: number
  /** The number of buckets to keep. The least recently used one is evicted first: by then it is most likely full again. */
  readonly mostCallers: number
  /** Milliseconds on a monotonic clock. */
  readonly elapsed: () => number
}

/** Takes one request from the caller's share, or refuses it (P114). */
export type TakeShare = (subject: string) => void

interface Bucket {
  readonly left: number
  readonly at: number
}

export function callerShare({ perSecond, burst, mostCallers, elapsed }: ShareOptions): TakeShare {
  if (perSecond === 0) return () => {}
  const buckets = new Map<string, Bucket>()
  return (subject) => {
    const now = elapsed()
    const bucket = buckets.get(subject) ?? { left: burst, at: now }
    const left = Math.min(burst, bucket.left + ((now - bucket.at) / 1_000) * perSecond)
    // Set again, so that the map is in the order of use.
    buckets.delete(subject)
    if (buckets.size >= mostCallers) buckets.delete(buckets.keys().next().value ?? subject)
    buckets.set(subject, { left: left < 1 ? left : left - 1, at: now })
    if (left < 1) {
      const retryAfterSeconds = Math.max(1, Math.ceil((1 - left) / perSecond))
      throw new ServiceError('RateLimited', { retryAfterSeconds })
    }
  }
}
