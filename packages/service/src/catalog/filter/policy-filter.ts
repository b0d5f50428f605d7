// The objects of a type that a caller may read, as a filter that is added to every read of the type (P144).
import type { ObjectType } from '../object-type.ts'
import { ServiceError } from '../../base/errors/service-error.ts'
import { everything, nothing, type Filter } from './filter.ts'
import { resolveFilter } from './resolve-filter.ts'
import { substituteClaims } from './substitute-claims.ts'

export type Claims = Readonly<Record<string, unknown>>

export function policyFilter(type: ObjectType, claims: Claims): Filter {
  const { policy } = type.definition
  if (policy === undefined) return everything
  const query = substituteClaims(policy, (name) => (Object.hasOwn(claims, name) ? claims[name] : undefined))
  if (query === undefined) return nothing
  try {
    return resolveFilter(type, query)
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    // The policy's own values were checked when it was applied, so the invalid one came from a claim (P146).
    if (error.errorName === 'InvalidPropertyValue') return nothing
    // A property that has just become searchable is still being filled: no caller reads until the policy can be enforced.
    if (error.errorName === 'PropertiesNotSearchable') {
      throw new ServiceError('Overloaded', { retryAfterSeconds: 1 }, { cause: error })
    }
    throw new Error('policy that was applied cannot be resolved', { cause: error })
  }
}
