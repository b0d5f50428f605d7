// Slows down clients that guess credentials, before the database is queried. A cached token is never slowed because of what
// others send from its address, which may be that of a proxy or of a whole office. A token that is not cached waits for a
// moment, and then works.
import { setTimeout as sleep } from 'node:timers/promises'
import type { AuthenticateCaller, FindCaller } from '../auth/authenticate-caller.ts'
import type { Caller } from '../auth/caller.ts'
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

export function slowedAuthentication(find: FindCaller, parts: SlowingParts): AuthenticateCaller {
  const { tries, observe, pauseMilliseconds, mostWaiting } = parts
  /**
   * Requests that arrive within a tenth of the pause wait together, so that at most ten statements per pause look up all of
   * them.
   */
  let gathering: Promise<void> | undefined
  let waiting = 0

  const pause = async (): Promise<void> => {
    waiting += 1
    gathering ??= gather()
    await gathering
    waiting -= 1
  }
  const gather = (): Promise<void> => {
    setTimeout(() => {
      gathering = undefined
    }, pauseMilliseconds / 10).unref()
    return sleep(pauseMilliseconds)
  }

  return async ({ authorization, network }) => {
    let hasWaited = false
    const beforeLookup = async (): Promise<void> => {
      if (!tries.isSlowed(network())) return
      if (waiting >= mostWaiting) {
        throw new ServiceError('RateLimited', { retryAfterSeconds: Math.ceil(pauseMilliseconds / 1_000) })
      }
      hasWaited = true
      await pause()
    }
    /** A refusal stays a refusal, whatever came before; it only comes later. */
    const refuse = async (error: unknown): Promise<Caller> => {
      if (!(error instanceof ServiceError) || error.errorName !== 'Default:Unauthorized') throw error
      const address = network()
      const slowed = tries.count(address)
      if (slowed?.first) observe({ kind: 'guessing-slowed', address, seconds: slowed.seconds })
      if (slowed !== undefined && !hasWaited && waiting < mostWaiting) await pause()
      throw error
    }
    try {
      return await find(authorization, beforeLookup)
    } catch (error) {
      return refuse(error)
    }
  }
}
