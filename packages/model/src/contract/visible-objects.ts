import type { PolicyQuery, Query } from '@octavo/protocol'
import { matchesQuery } from './match-query.ts'
import type { ModelType, Properties } from './model-type.ts'

export interface ModelCaller {
  readonly claims: Properties
  /** Whether every claim that the policy needs is present and fits. */
  readonly fits: boolean
}

/** Which objects the caller may read, according to the specification (P143 to P146). */
export function isVisibleTo(
  definition: ModelType,
  policy: PolicyQuery,
  { claims, fits }: ModelCaller,
): (object: Properties) => boolean {
  if (!fits) return () => false
  const query = JSON.parse(JSON.stringify(policy), function (this: Properties, key, value: unknown) {
    if (typeof value !== 'object' || value === null || !('claim' in value)) return value
    const held = claims[String(value.claim)]
    return this['type'] === 'in' && key === 'value' ? [held].flat() : held
  }) as Query
  return (object) => matchesQuery(definition, query, object)
}
