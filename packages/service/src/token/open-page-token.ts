import { limits } from '@octavo/protocol'
import { ServiceError } from '../errors/service-error.ts'
import { identityParts } from '../request/request-identity.ts'
import type { TokenBinding } from './token-binding.ts'
import { decodeClaims } from './token-claims.ts'
import type { TokenSealer } from './token-sealer.ts'
import type { Walk } from './walk.ts'

export interface OpenedAt {
  readonly binding: TokenBinding
  readonly now: Date
}

/** The walk that a token goes on with; refused with the reason when it is not for this caller and request (P11 to P14, P25). */
export function openPageToken(sealer: TokenSealer, token: string, { binding, now }: OpenedAt): Walk {
  const bytes = sealer.open(token)
  if (bytes === undefined) throw new ServiceError('InvalidPageToken', { reason: 'malformed' })
  const claims = decodeClaims(bytes)
  if (!claims.caller.equals(binding.caller)) {
    throw new ServiceError('InvalidPageToken', { reason: 'otherCaller' })
  }
  const changed = identityParts.filter((_part, i) => {
    const before = claims.parts[i]
    const asked = binding.parts[i]
    return before === undefined || asked === undefined || !before.equals(asked)
  })
  if (changed.length > 0) throw new ServiceError('InvalidPageToken', { reason: 'requestChanged', changed })
  const ageSeconds = now.getTime() / 1000 - claims.issuedAtSeconds
  if (ageSeconds > limits.pageToken.lifeSeconds) {
    throw new ServiceError('InvalidPageToken', { reason: 'expired' })
  }
  return claims.walk
}
