// Who and what a token belongs to: fingerprints of the caller, and of each part of the request in a fixed order, as the
// token holds them.
import { hash } from 'node:crypto'
import type { Caller } from '../auth/caller.ts'
import { identityParts, type RequestIdentity } from '../request/request-identity.ts'
import { callerBytes, partBytes } from './token-claims.ts'

const partsAt = callerBytes + 1

export function tokenBinding(caller: Pick<Caller, 'subject'>, identity: RequestIdentity): Buffer {
  const binding = Buffer.allocUnsafe(partsAt + identityParts.length * partBytes)
  fingerprint(caller.subject).copy(binding, 0, 0, callerBytes)
  binding[callerBytes] = identityParts.length
  identityParts.forEach((part, i) =>
    fingerprint(identity[part]).copy(binding, partsAt + i * partBytes, 0, partBytes),
  )
  return binding
}

export const isOtherCaller = (one: Buffer, other: Buffer): boolean =>
  one.compare(other, 0, callerBytes, 0, callerBytes) !== 0

/** A part that one of them does not have is another one too. */
export const otherParts = (one: Buffer, other: Buffer): string[] =>
  identityParts.filter((_part, i) => {
    const at = partsAt + i * partBytes
    const end = at + partBytes
    return end > Math.min(one.length, other.length) || one.compare(other, at, end, at, end) !== 0
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
