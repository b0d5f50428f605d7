// Counts refused credentials by the address that they come from. slowed-guesses.ts acts on it.

export interface FailedTriesOptions {
  readonly perMinute: number
  readonly mostAddresses: number
  /** Milliseconds on a monotonic clock. */
  readonly elapsed: () => number
}

interface SlowedTry {
  /** The seconds after which failures of this address are no longer slowed. */
  readonly seconds: number
  /** Whether it is the first one above the limit in its minute. */
  readonly first: boolean
}

export interface FailedTries {
  /** Counts one failure of an address; returns undefined while it has not had too many. */
  readonly count: (address: string) => SlowedTry | undefined
  /** Whether one more failure would be too many. */
  readonly isSlowed: (address: string) => boolean
}

const minute = 60_000

export function failedTries({ perMinute, mostAddresses, elapsed }: FailedTriesOptions): FailedTries {
  const counts = new Map<string, { readonly since: number; readonly failures: number }>()
  const inThisMinute = (address: string) => {
    const known = counts.get(address)
    return known !== undefined && elapsed() - known.since < minute ? known : undefined
  }
  return {
    count: (address) => {
      const { since, failures } = inThisMinute(address) ?? { since: elapsed(), failures: 0 }
      counts.delete(address)
      if (counts.size >= mostAddresses) counts.delete(counts.keys().next().value ?? address)
      counts.set(address, { since, failures: failures + 1 })
      if (failures < perMinute) return undefined
      return {
        seconds: Math.max(1, Math.ceil((since + minute - elapsed()) / 1_000)),
        first: failures === perMinute,
      }
    },
    isSlowed: (address) => (inThisMinute(address)?.failures ?? 0) >= perMinute,
  }
}
