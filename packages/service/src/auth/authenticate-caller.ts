import { ServiceError } from '../errors/service-error.ts'
import { whenThere, type Soon } from '../memory/soon.ts'
import type { Access } from './access.ts'
import { hashOfToken, isAccessToken } from './access-token.ts'
import type { Caller } from './caller.ts'
import type { VerifyJwt } from './verify-jwt.ts'

/** Refuses with Default:Unauthorized what stands for nobody (P115). */
export type AuthenticateCaller = (authorization: string | undefined) => Soon<Caller>

export interface Authentication {
  readonly access: Pick<Access, 'token'>
  /** Nothing where no identity provider is configured. */
  readonly verifyJwt: VerifyJwt | undefined
  readonly now: () => Date
}

export function callerAuthentication({ access, verifyJwt, now }: Authentication): AuthenticateCaller {
  return (authorization) => {
    const token = /^Bearer ([\x21-\x7e]+)$/i.exec(authorization ?? '')?.[1]
    return whenThere(token === undefined ? undefined : callerOf(token), (caller) => {
      if (caller === undefined) throw new ServiceError('Default:Unauthorized', {})
      return caller
    })
  }

  function callerOf(token: string): Soon<Caller | undefined> {
    if (!isAccessToken(token)) return verifyJwt?.(token)
    // Looked up by its hash: how long that takes says nothing about any token.
    return whenThere(access.token(hashOfToken(token)), (known) => {
      const ended = known?.expiresAt !== undefined && known.expiresAt <= now().getTime()
      return ended ? undefined : known?.caller
    })
  }
}
