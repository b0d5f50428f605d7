import { ServiceError } from '../../base/errors/service-error.ts'
import type { IdentityPart } from '../request/request-identity.ts'
import { isForAnyCaller, isOtherCaller, otherParts } from './token-binding.ts'
import type { TokenSealer } from './token-sealer.ts'
import type { Walk } from './walk.ts'

export interface OpenedAt {
  readonly binding: Buffer
  readonly now: Date
  /** The name of a part of the request as the caller knows it. */
  readonly nameOf?: ((part: IdentityPart) => string) | undefined
}

/**
 * Opens the token and returns its walk. Refuses it, with the reason, when it is not for this caller and request (P11 to P14,
 * P25).
 */
export function openPageToken(
  sealer: TokenSealer,
  token: string,
  { binding, now, nameOf = (part) => part }: OpenedAt,
): Walk {
  const claims = sealer.open(token)
  if (claims === undefined) throw new ServiceError('InvalidPageToken', { reason: 'malformed' })
  if (!claims.binding.equals(binding)) refuseOther(claims.binding, binding, nameOf)
  // A partition can be read for as long as its state is kept (P256).
  if (claims.walk.partition !== undefined) return claims.walk
  // The age is computed in whole seconds, as the token stores them: a token sealed late in a second is never refused too early.
  const ageSeconds = Math.floor(now.getTime() / 1000) - claims.issuedAtSeconds
  if (ageSeconds > sealer.lifeSeconds) {
    throw new ServiceError('InvalidPageToken', { reason: 'expired' })
  }
  return claims.walk
}

/** Compares only the parts that this release knows: a token of the next release has one more. */
function refuseOther(sealed: Buffer, binding: Buffer, nameOf: (part: IdentityPart) => string): void {
  if (!isForAnyCaller(sealed) && isOtherCaller(sealed, binding))
    throw new ServiceError('InvalidPageToken', { reason: 'otherCaller' })
  const changed = otherParts(sealed, binding).map(nameOf)
  if (changed.length > 0) throw new ServiceError('InvalidPageToken', { reason: 'requestChanged', changed })
}
