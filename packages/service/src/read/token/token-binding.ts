// Binds a token to its caller and its request: fingerprints of the caller and of each part of the request, in a fixed order, as
// the token holds them.
import { hash } from 'node:crypto'
import type { Caller } from '../../guard/auth/caller.ts'
import { lruCache } from '../../base/lru-cache.ts'
import {
  identityParts,
  identityText,
  type IdentityPart,
  type RequestIdentity,
} from '../request/request-identity.ts'
import { callerBytes, partBytes } from './token-claims.ts'

const partsAt = callerBytes + 1

/**
 * The same few bindings are needed for every page of every walk. Longer texts contain queries, of which callers can send any
 * number, so those are not cached.
 */
const remembered = lruCache<Buffer>(1_000)
const longestRemembered = 1_000

export function tokenBinding(caller: Pick<Caller, 'subject'>, identity: RequestIdentity): Buffer {
  // No part of a request holds the separator, so different parts never give the same text.
  const text = `${caller.subject}\0${identityText(identity)}`
  if (text.length > longestRemembered) return makeBinding(caller, identity)
  let binding = remembered.get(text)
  if (binding === undefined) {
    binding = makeBinding(caller, identity)
    remembered.set(text, binding)
  }
  return binding
}

function makeBinding({ subject }: Pick<Caller, 'subject'>, identity: RequestIdentity): Buffer {
  const binding = Buffer.allocUnsafeSlow(partsAt + identityParts.length * partBytes)
  fingerprint(subject).copy(binding, 0, 0, callerBytes)
  binding[callerBytes] = identityParts.length
  identityParts.forEach((part, i) =>
    fingerprint(identity[part]).copy(binding, partsAt + i * partBytes, 0, partBytes),
  )
  return binding
}

const fingerprint = (text: string): Buffer => hash('sha256', text, 'buffer')

/** The same for every caller: the token is handed to other readers (P256). */
export function forAnyCaller(binding: Buffer): Buffer {
  const forAny = Buffer.from(binding)
  noCaller.copy(forAny)
  return forAny
}

const noCaller = Buffer.alloc(callerBytes)

export const isForAnyCaller = (binding: Buffer): boolean =>
  binding.compare(noCaller, 0, callerBytes, 0, callerBytes) === 0

export const isOtherCaller = (one: Buffer, other: Buffer): boolean =>
  one.compare(other, 0, callerBytes, 0, callerBytes) !== 0

/** A part that only one of the two has counts as different. */
export const otherParts = (one: Buffer, other: Buffer): readonly IdentityPart[] =>
  identityParts.filter((_part, i) => {
    const at = partsAt + i * partBytes
    const end = at + partBytes
    return end > Math.min(one.length, other.length) || one.compare(other, at, end, at, end) !== 0
  })
