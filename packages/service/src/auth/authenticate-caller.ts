import { ServiceError } from '../errors/service-error.ts'
import { whenThere, type Soon } from '../memory/soon.ts'
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
export type AuthenticateCaller = (credentials: Credentials) => Soon<Caller>

/** The same, asking `beforeLookup` before it does what costs more than to remember. */
export type FindCaller = (authorization: string | undefined, beforeLookup: () => Soon<void>) => Soon<Caller>

export interface Authentication {
  readonly access: Pick<Access, 'token'>
  /** Nothing where no identity provider is configured. */
  readonly verifyJwt: VerifyJwt | undefined
  readonly now: () => Date
}

export function callerAuthentication({ access, verifyJwt, now }: Authentication): FindCaller {
  return (authorization, beforeLookup) => {
    const token = /^Bearer ([\x21-\x7e]+)$/i.exec(authorization ?? '')?.[1]
    return whenThere(token === undefined ? undefined : callerOf(token, beforeLookup), (caller) => {
      if (caller === undefined || isReservedSubject(caller.subject))
        throw new ServiceError('Default:Unauthorized', {})
      return caller
    })
  }

  function callerOf(token: string, beforeLookup: () => Soon<void>): Soon<Caller | undefined> {
    if (!isAccessToken(token)) return verifyJwt?.(token, beforeLookup)
    // Looked up by its hash: how long that takes says nothing about any token.
    return whenThere(access.token(hashOfToken(token), beforeLookup), (known) => {
      const ended = known?.expiresAt !== undefined && known.expiresAt <= now().getTime()
      return ended ? undefined : known?.caller
    })
  }
}
