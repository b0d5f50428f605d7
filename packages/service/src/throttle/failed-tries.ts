// Slows whoever tries credentials. Only failures are counted and only failures are answered more slowly: a valid token
// is never refused for what others send from its address, which may be that of a proxy or of a whole office.

export interface FailedTriesOptions {
  /** No limit when zero. */
  readonly perMinute: number
  readonly mostAddresses: number
  /** Milliseconds on a clock that only goes forward. */
  readonly elapsed: () => number
}

interface SlowedTry {
  /** After which a failure of this address is an ordinary one again. */
  readonly seconds: number
  /** Whether it is the first of its minute that went too far. */
  readonly first: boolean
}

/** Counts one failure of an address; gives nothing while it has not had too many. */
export type CountFailure = (address: string) => SlowedTry | undefined

const minute = 60_000

export function failedTries({ perMinute, mostAddresses, elapsed }: FailedTriesOptions): CountFailure {
  if (perMinute === 0) return () => undefined
  const counts = new Map<string, { readonly since: number; readonly failures: number }>()
  return (address) => {
    const now = elapsed()
    const known = counts.get(address)
    const kept = known !== undefined && now - known.since < minute ? known : { since: now, failures: 0 }
    const failures = kept.failures + 1
    counts.delete(address)
    if (counts.size >= mostAddresses) counts.delete(counts.keys().next().value ?? address)
    counts.set(address, { since: kept.since, failures })
    if (failures <= perMinute) return undefined
    return {
      seconds: Math.max(1, Math.ceil((kept.since + minute - now) / 1_000)),
      first: failures === perMinute + 1,
    }
  }
}
