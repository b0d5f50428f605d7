import type { ObjectTypeDefinition, PolicyQuery, Query } from '@octavo/protocol'
import type { Properties } from '../query-oracle/generate-objects.ts'
import { matchesQuery } from '../query-oracle/match-query.ts'
import type { GeneratedCaller } from './generate-policy.ts'

/** Which objects the caller may read, according to PROTOCOL.md (P143 to P146); uses no code of the service. */
export function isVisibleTo(
  definition: ObjectTypeDefinition,
  policy: PolicyQuery,
  { claims, fits }: GeneratedCaller,
): (object: Properties) => boolean {
  if (!fits) return () => false
  const query = JSON.parse(JSON.stringify(policy), function (this: Properties, key, value: unknown) {
    if (typeof value !== 'object' || value === null || !('claim' in value)) return value
    const held = claims[String(value.claim)]
    return this['type'] === 'in' && key === 'value' ? [held].flat() : held
  }) as Query
  return (object) => matchesQuery(definition, query, object)
}
