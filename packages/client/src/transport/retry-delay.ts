const longestBackoffMilliseconds = 10_000
/** Requests may be repeated without end. */
const mostDoublings = 30
/** A timer for longer ends at once. */
const longestTimer = 2 ** 31 - 1

/** Parses `Retry-After`: HTTP allows seconds or a date. */
export function retryAfterSeconds(header: string | null, now: number = Date.now()): number | undefined {
  if (header === null) return undefined
  const seconds = /^\s*\d+\s*$/.test(header) ? Number(header) : (Date.parse(header) - now) / 1_000
  return Number.isNaN(seconds) ? undefined : Math.max(0, seconds)
}

/** Full jitter, so that clients that failed together do not retry together. Never earlier than the service said. */
export function retryDelay(
  retry: number,
  {
    backoffMilliseconds,
    afterSeconds = 0,
  }: { backoffMilliseconds: number; afterSeconds?: number | undefined },
): number {
  const most = Math.min(longestBackoffMilliseconds, backoffMilliseconds * 2 ** Math.min(retry, mostDoublings))
  return Math.min(longestTimer, afterSeconds * 1_000 + Math.random() * most)
}
