import { ServiceError } from '../../base/errors/service-error.ts'
import type { Access } from './access.ts'
import { hashOfToken, isAccessToken } from './access-token.ts'
import type { Caller } from './caller.ts'
import { isReservedSubject } from './principal-name.ts'
import type { VerifyJwt } from './verify-jwt.ts'

interface Credentials {
  readonly authorization: string | undefined
  /** They were let in before, for what is still going on: that takes nothing more from the caller's rate. */
  readonly isAgain?: true
}

/** Refuses credentials that belong to no caller with Default:Unauthorized (P115). */
export type AuthenticateCaller = (credentials: Credentials) => Promise<Caller>

export interface Authentication {
  readonly access: Pick<Access, 'token'>
  /** Undefined where no identity provider is configured. */
  readonly verifyJwt: VerifyJwt | undefined
  readonly now: () => Date
}

export function callerAuthentication({ access, verifyJwt, now }: Authentication): AuthenticateCaller {
  return async ({ authorization }) => {
    const token = /^Bearer ([\x21-\x7e]+)$/i.exec(authorization ?? '')?.[1]
    const caller = token === undefined ? undefined : await callerOf(token)
    if (caller === undefined || isReservedSubject(caller.subject))
      throw new ServiceError('Default:Unauthorized', {})
    return caller
  }

  async function callerOf(token: string): Promise<Caller | undefined> {
    if (!isAccessToken(token)) return verifyJwt?.(token)
    // Looked up by its hash, so that the time it takes reveals nothing about any token.
    const known = await access.token(hashOfToken(token))
    const ended = known?.expiresAt !== undefined && known.expiresAt <= now().getTime()
    return ended ? undefined : known?.caller
  }
}
