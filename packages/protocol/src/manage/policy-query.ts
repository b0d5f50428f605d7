import { Type } from 'typebox'

import { limits } from '../base/limits.ts'
import type { ConditionOf } from '../query/operators.ts'
import { queryLanguage, type WholeObjectQuery } from '../query/query.ts'
import { scalarValueSchema, type ScalarValue } from '../values/property-value.ts'
import { closed, type Wire } from '../base/wire.ts'

/** A placeholder for the value that the caller's credentials claim under this name. */
export const claimSchema = Type.Object(
  { claim: Type.String({ minLength: 1, maxLength: limits.definition.nameCharacters }) },
  closed,
)
export type Claim = Wire<typeof claimSchema>

const valueOrClaim = Type.Union([scalarValueSchema, claimSchema])

export type PolicyQuery =
  | ConditionOf<{
      readonly scalar: ScalarValue | Claim
      /** The list itself may be a claim; then the claim holds the whole list. */
      readonly list: readonly (ScalarValue | Claim)[] | Claim
      readonly boolean: boolean
      readonly text: string
    }>
  | WholeObjectQuery
  | { readonly type: 'and' | 'or'; readonly value: readonly PolicyQuery[] }
  | { readonly type: 'not'; readonly value: PolicyQuery }

/**
 * Which objects of a type a caller may read: the query language, in which values may be claims of the caller (P143). Call
 * `exceededQueryLimit` first, as for a query.
 */
export const policyQuerySchema = Type.Unsafe<PolicyQuery>(
  queryLanguage('PolicyQuery', {
    scalar: valueOrClaim,
    list: Type.Union([Type.Array(valueOrClaim, { maxItems: limits.query.inValues }), claimSchema]),
  }),
)
