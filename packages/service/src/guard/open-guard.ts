import type { ServeOptions } from '../config/options.ts'
import type { Access } from './auth/access.ts'
import { callerAuthentication, type AuthenticateCaller } from './auth/authenticate-caller.ts'
import { jwtVerification } from './auth/verify-jwt.ts'
import { callerShare } from './throttle/caller-share.ts'

export interface GuardSources {
  readonly access: Access
  readonly now: () => Date
  /** Milliseconds on a monotonic clock. */
  readonly elapsed: () => number
}

const mostCallers = 10_000

/** Lets callers in: authenticates them, and enforces their rate limit. */
export function openGuard(options: ServeOptions, { access, now, elapsed }: GuardSources): AuthenticateCaller {
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
  const takeShare = callerShare({
    perSecond: options.rateLimitPerSecond,
    burst: options.rateLimitBurst,
    mostCallers,
    elapsed,
  })
  const authenticate = callerAuthentication({ access, verifyJwt, now })
  return async (credentials) => {
    // The subject is there only after authentication; nothing else has been done for it by then (P114).
    const caller = await authenticate(credentials)
    if (credentials.isAgain === undefined) takeShare(caller.subject)
    return caller
  }
}
