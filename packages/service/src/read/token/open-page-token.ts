import { ServiceError } from '../../base/errors/service-error.ts'
import type { IdentityPart } from '../request/request-identity.ts'
import { isOtherCaller, otherParts } from './token-binding.ts'
import type { TokenSealer } from './token-sealer.ts'
import type { Walk } from './walk.ts'

export interface OpenedAt {
  readonly binding: Buffer
  readonly now: Date
  /** What a part of the request is called where it is written. */
  readonly nameOf?: (part: IdentityPart) => string
}

/** The walk that a token goes on with; refused with the reason when it is not for this caller and request (P11 to P14, P25). */
export function openPageToken(
  sealer: TokenSealer,
  token: string,
  { binding, now, nameOf = (part) => part }: OpenedAt,
): Walk {
  const claims = sealer.open(token)
  if (claims === undefined) throw new ServiceError('InvalidPageToken', { reason: 'malformed' })
  if (!claims.binding.equals(binding)) refuseOther(claims.binding, binding, nameOf)
  // In whole seconds, as the token has it: a token of a late part of a second is never refused too early.
  const ageSeconds = Math.floor(now.getTime() / 1000) - claims.issuedAtSeconds
  if (ageSeconds > sealer.lifeSeconds) {
    throw new ServiceError('InvalidPageToken', { reason: 'expired' })
  }
  return claims.walk
}

/** A part that is new to this release says nothing to it: a token of the next release has one more. */
function refuseOther(before: Buffer, asked: Buffer, nameOf: (part: IdentityPart) => string): void {
  if (isOtherCaller(before, asked)) throw new ServiceError('InvalidPageToken', { reason: 'otherCaller' })
  const changed = otherParts(before, asked).map(nameOf)
  if (changed.length > 0) throw new ServiceError('InvalidPageToken', { reason: 'requestChanged', changed })
}
