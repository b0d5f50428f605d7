// Slows down guesses of credentials that somebody else checks: after some failures in a minute, further tries of the same network
// wait. A right guess still works, because the network may be that of a whole office.
import { setTimeout as sleep } from 'node:timers/promises'
import { ServiceError } from '../../base/errors/service-error.ts'
import type { Observe } from '../../observe/observation.ts'

export interface SlowingOptions {
  /** Failures of a network before its next tries wait. */
  readonly perMinute: number
  readonly mostNetworks: number
  readonly pauseMilliseconds: number
  /** The limit of waiting requests: each costs memory too. */
  readonly mostWaiting: number
  /** Milliseconds on a monotonic clock. */
  readonly elapsed: () => number
  readonly observe: Observe
}

export interface SlowedGuesses {
  readonly beforeTry: (network: string) => Promise<void>
  readonly hasFailed: (network: string) => void
}

const minuteMs = 60_000

export function slowedGuesses({
  perMinute,
  mostNetworks,
  pauseMilliseconds,
  mostWaiting,
  elapsed,
  observe,
}: SlowingOptions): SlowedGuesses {
  const failures = new Map<string, { readonly since: number; readonly count: number }>()
  const ofThisMinute = (network: string) => {
    const found = failures.get(network)
    return found !== undefined && elapsed() - found.since < minuteMs ? found : undefined
  }
  let waiting = 0
  return {
    beforeTry: async (network) => {
      if ((ofThisMinute(network)?.count ?? 0) < perMinute) return
      if (waiting >= mostWaiting) {
        throw new ServiceError('RateLimited', { retryAfterSeconds: Math.ceil(pauseMilliseconds / 1_000) })
      }
      waiting += 1
      await sleep(pauseMilliseconds)
      waiting -= 1
    },
    hasFailed: (network) => {
      const { since, count } = ofThisMinute(network) ?? { since: elapsed(), count: 0 }
      failures.delete(network)
      if (failures.size >= mostNetworks) failures.delete(failures.keys().next().value ?? network)
      failures.set(network, { since, count: count + 1 })
      if (count !== perMinute) return
      const seconds = Math.max(1, Math.ceil((since + minuteMs - elapsed()) / 1_000))
      observe({ kind: 'guessing-slowed', address: network, seconds })
    },
  }
}
