import { createHash, timingSafeEqual } from 'node:crypto'
import { ServiceError } from '../errors/service-error.ts'
import type { Caller } from './caller.ts'

export type AuthenticateCaller = (authorization: string | undefined) => Caller

/** Until access control arrives there is one caller: whoever has the token of the configuration. */
export function staticTokenAuthentication(staticToken: string): AuthenticateCaller {
  const expected = digest(staticToken)
  return (authorization) => {
    const token = /^Bearer ([\x21-\x7e]+)$/i.exec(authorization ?? '')?.[1]
    // Digests have one length, so the comparison takes the same time whatever was sent.
    if (token === undefined || !timingSafeEqual(digest(token), expected)) {
      throw new ServiceError('Default:Unauthorized', {})
    }
    return { subject: 'static-token', groups: [], rights: new Set(['read', 'write', 'admin']), claims: {} }
  }
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()
