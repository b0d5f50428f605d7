import { createHash } from 'node:crypto'
import type { Caller } from '../auth/caller.ts'
import { identityParts, type RequestIdentity } from '../request/request-identity.ts'
import { callerBytes, partBytes } from './token-claims.ts'

/** Who and what a token belongs to, as fingerprints. */
export interface TokenBinding {
  readonly caller: Buffer
  readonly parts: readonly Buffer[]
}

export const tokenBinding = (caller: Pick<Caller, 'subject'>, identity: RequestIdentity): TokenBinding => ({
  caller: fingerprint(caller.subject, callerBytes),
  parts: identityParts.map((part) => fingerprint(identity[part], partBytes)),
})

const fingerprint = (text: string, bytes: number): Buffer =>
  createHash('sha256').update(text).digest().subarray(0, bytes)
