import { Type } from 'typebox'

import { limits } from '../base/limits.ts'
import { fieldSchema } from '../query/field.ts'
import { empty, isNull, keyword, terms } from '../query/query.ts'
import { scalarValueSchema } from '../values/property-value.ts'
import { closed, type Wire } from '../base/wire.ts'

/** A placeholder for the value that the caller's credentials claim under this name. */
export const claimSchema = Type.Object(
  { claim: Type.String({ minLength: 1, maxLength: limits.definition.nameCharacters }) },
  closed,
)
export type Claim = Wire<typeof claimSchema>

const valueOrClaim = Type.Union([scalarValueSchema, claimSchema])

const comparison = <Operator extends string>(operator: Operator) =>
  Type.Object({ type: Type.Literal(operator), field: fieldSchema, value: valueOrClaim }, closed)

/** The list itself may be a claim; then the claim holds the whole list. */
const within = Type.Object(
  {
    type: Type.Literal('in'),
    field: fieldSchema,
    value: Type.Union([Type.Array(valueOrClaim, { maxItems: limits.query.inValues }), claimSchema]),
  },
  closed,
)

const junction = <Operator extends string>(operator: Operator) =>
  Type.Object({ type: Type.Literal(operator), value: Type.Array(Type.Ref('PolicyQuery')) }, closed)

const not = Type.Object({ type: Type.Literal('not'), value: Type.Ref('PolicyQuery') }, closed)

/**
 * Which objects of a type a caller may read: the query language, in which values may be claims of the caller (P143). Call
 * `exceededQueryLimit` first, as for a query.
 */
export const policyQuerySchema = Type.Cyclic(
  {
    PolicyQuery: Type.Union([
      empty,
      comparison('eq'),
      comparison('lt'),
      comparison('lte'),
      comparison('gt'),
      comparison('gte'),
      within,
      isNull,
      terms('prefix'),
      terms('phrase'),
      terms('anyTerm'),
      terms('allTerms'),
      comparison('contains'),
      keyword,
      junction('and'),
      junction('or'),
      not,
    ]),
  },
  'PolicyQuery',
)

export type PolicyQuery = Wire<typeof policyQuerySchema>
