import { hash } from 'node:crypto'
import type { Caller } from '../auth/caller.ts'
import { identityParts, type RequestIdentity } from '../request/request-identity.ts'
import { callerBytes, partBytes } from './token-claims.ts'

/** Who and what a token belongs to, as fingerprints. */
export interface TokenBinding {
  readonly caller: Buffer
  readonly parts: readonly Buffer[]
}

export const tokenBinding = (caller: Pick<Caller, 'subject'>, identity: RequestIdentity): TokenBinding => ({
  caller: fingerprint(caller.subject).subarray(0, callerBytes),
  parts: identityParts.map((part) => fingerprint(identity[part]).subarray(0, partBytes)),
})

/** The same few texts come with every page of every walk. Longer ones are queries, which come from outside in any number. */
const remembered = new Map<string, Buffer>()
const mostRemembered = 10_000
const longestRemembered = 100

function fingerprint(text: string): Buffer {
  const known = remembered.get(text)
  if (known !== undefined) return known
  const made = hash('sha256', text, 'buffer')
  if (text.length <= longestRemembered) {
    if (remembered.size >= mostRemembered) remembered.clear()
    remembered.set(text, made)
  }
  return made
}
