import type { ServeOptions } from '../config/options.ts'
import type { Observe } from '../observe/observation.ts'
import type { Access } from './auth/access.ts'
import { callerAuthentication, type AuthenticateCaller } from './auth/authenticate-caller.ts'
import { jwtVerification } from './auth/verify-jwt.ts'
import { callerShare } from './throttle/caller-share.ts'
import { failedTries } from './throttle/failed-tries.ts'
import { limitedAuthentication } from './throttle/limited-authentication.ts'
import { slowedAuthentication } from './throttle/slowed-authentication.ts'

export interface GuardParts {
  readonly access: Access
  readonly now: () => Date
  /** Milliseconds on a monotonic clock. */
  readonly elapsed: () => number
  readonly observe: Observe
}

const mostCallers = 10_000
const mostAddresses = 10_000

/** Lets callers in: authenticates them, slows down guessing of credentials, and enforces their rate limit. */
export function openGuard(
  options: ServeOptions,
  { access, now, elapsed, observe }: GuardParts,
): AuthenticateCaller {
  const verifyJwt =
    options.oidcIssuer === ''
      ? undefined
      : jwtVerification({
          issuer: options.oidcIssuer,
          audience: options.oidcAudience,
          groupsClaim: options.oidcGroupsClaim,
          now,
          elapsed,
        })
  const slowed = slowedAuthentication(callerAuthentication({ access, verifyJwt, now }), {
    tries: failedTries({ perMinute: options.failedAuthenticationsPerMinute, mostAddresses, elapsed }),
    observe,
    pauseMilliseconds: 1_000,
    mostWaiting: 1_000,
  })
  const takeShare = callerShare({
    perSecond: options.rateLimitPerSecond,
    burst: options.rateLimitBurst,
    mostCallers,
    elapsed,
  })
  return limitedAuthentication(slowed, takeShare)
}
