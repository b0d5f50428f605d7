// Slows whoever tries credentials, before the database is asked. A token that is remembered is never slowed for what others
// send from its address, which may be that of a proxy or of a whole office; one that is not waits a moment, and works.
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
  /** To wait costs us memory too. */
  readonly mostWaiting: number
}

export function slowedAuthentication(find: FindCaller, parts: SlowingParts): AuthenticateCaller {
  const { tries, observe, pauseMilliseconds, mostWaiting } = parts
  /** Those that come within a tenth of the pause wait as one, so that ten statements look up all of them. */
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
    /** What was refused is refused whatever came before, only later. */
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
