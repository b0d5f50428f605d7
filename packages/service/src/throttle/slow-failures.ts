import { setTimeout as sleep } from 'node:timers/promises'
import { ServiceError } from '../errors/service-error.ts'
import type { Observe } from '../observe/observation.ts'
import type { CountFailure } from './failed-tries.ts'

export interface SlowFailuresParts {
  readonly count: CountFailure
  readonly observe: Observe
  /** How long the answer to a slowed try is held back. */
  readonly pauseMilliseconds: number
  /** Answers held back at a time. Past that they are given at once: to wait costs us memory too. */
  readonly mostPaused: number
}

/** Gives what to answer instead of a failure: the failure itself, or after too many of them RateLimited, and later. */
export type SlowFailure = (error: unknown, address: string) => Promise<unknown>

export function slowFailures(parts: SlowFailuresParts): SlowFailure {
  const { count, observe, pauseMilliseconds, mostPaused } = parts
  let paused = 0
  return async (error, address) => {
    if (!(error instanceof ServiceError) || error.errorName !== 'Default:Unauthorized') return error
    const slowed = count(address)
    if (slowed === undefined) return error
    const { seconds, first } = slowed
    if (first) observe({ kind: 'guessing-slowed', address, seconds })
    if (paused < mostPaused) {
      paused += 1
      await sleep(pauseMilliseconds)
      paused -= 1
    }
    return new ServiceError('RateLimited', { retryAfterSeconds: seconds }, { cause: error })
  }
}
