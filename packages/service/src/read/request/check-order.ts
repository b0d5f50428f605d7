import { limits } from '@octavo/protocol'
import { ServiceError } from '../../base/errors/service-error.ts'
import type { WantedKey } from './page-request.ts'

/** Checks P44. Names are compared without regard to case, as no two properties of a type differ in case alone. */
export function checkOrder(keys: readonly WantedKey[]): readonly WantedKey[] {
  if (keys.length > limits.order.keys) {
    throw new ServiceError('QueryTooLarge', { limit: 'orderKeys', maximum: limits.order.keys })
  }
  const seen = new Set<string>()
  for (const { property } of keys) {
    const folded = property.toLowerCase()
    if (seen.has(folded)) throw new ServiceError('DuplicateOrderBy', { properties: [property] })
    seen.add(folded)
  }
  return keys
}
