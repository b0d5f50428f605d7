import { ServiceError } from '../../base/errors/service-error.ts'
import type { Access } from './access.ts'
import { hashOfToken, isAccessToken } from './access-token.ts'
import type { Caller } from './caller.ts'
import { isReservedSubject } from './principal-name.ts'
import type { VerifyJwt } from './verify-jwt.ts'

interface Credentials {
  readonly authorization: string | undefined
  /** Where they come from. Asked for only when it matters: most are known. */
  readonly network: () => string
}

/** Refuses with Default:Unauthorized what stands for nobody (P115). */
export type AuthenticateCaller = (credentials: Credentials) => Promise<Caller>

/** The same, asking `beforeLookup` before it does what costs more than to remember. */
export type FindCaller = (
  authorization: string | undefined,
  beforeLookup: () => Promise<void> | void,
) => Promise<Caller>

export interface Authentication {
  readonly access: Pick<Access, 'token'>
  /** Nothing where no identity provider is configured. */
  readonly verifyJwt: VerifyJwt | undefined
  readonly now: () => Date
}

export function callerAuthentication({ access, verifyJwt, now }: Authentication): FindCaller {
  return async (authorization, beforeLookup) => {
    const token = /^Bearer ([\x21-\x7e]+)$/i.exec(authorization ?? '')?.[1]
    const caller = token === undefined ? undefined : await callerOf(token, beforeLookup)
    if (caller === undefined || isReservedSubject(caller.subject))
      throw new ServiceError('Default:Unauthorized', {})
    return caller
  }

  async function callerOf(
    token: string,
    beforeLookup: () => Promise<void> | void,
  ): Promise<Caller | undefined> {
    if (!isAccessToken(token)) return verifyJwt?.(token, beforeLookup)
    // Looked up by its hash: how long that takes says nothing about any token.
    const known = await access.token(hashOfToken(token), beforeLookup)
    const ended = known?.expiresAt !== undefined && known.expiresAt <= now().getTime()
    return ended ? undefined : known?.caller
  }
}
