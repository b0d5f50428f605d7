// Slows down guesses of credentials that somebody else checks: after some failures in a minute, what else comes from the same
// network waits. A right guess still works, because the network may be that of a whole office.
import { setTimeout as sleep } from 'node:timers/promises'
import { ServiceError } from '../../base/errors/service-error.ts'
import type { Observe } from '../../observe/observation.ts'
import type { FailedTries } from './failed-tries.ts'

export interface SlowingParts {
  readonly tries: FailedTries
  readonly observe: Observe
  readonly pauseMilliseconds: number
  /** The limit of waiting requests: each costs memory too. */
  readonly mostWaiting: number
}

export interface SlowedGuesses {
  readonly beforeTry: (network: string) => Promise<void>
  readonly hasFailed: (network: string) => void
}

export function slowedGuesses({
  tries,
  observe,
  pauseMilliseconds,
  mostWaiting,
}: SlowingParts): SlowedGuesses {
  let waiting = 0
  return {
    beforeTry: async (network) => {
      if (!tries.isSlowed(network)) return
      if (waiting >= mostWaiting) {
        throw new ServiceError('RateLimited', { retryAfterSeconds: Math.ceil(pauseMilliseconds / 1_000) })
      }
      waiting += 1
      await sleep(pauseMilliseconds)
      waiting -= 1
    },
    hasFailed: (network) => {
      const slowed = tries.count(network)
      if (slowed?.first) observe({ kind: 'guessing-slowed', address: network, seconds: slowed.seconds })
    },
  }
}
