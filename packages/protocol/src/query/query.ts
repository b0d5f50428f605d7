import { Type } from 'typebox'

import { limits } from '../base/limits.ts'
import { tableNames } from '../base/table-names.ts'
import { apiNameSchema } from '../values/api-name.ts'
import { scalarValueSchema } from '../values/property-value.ts'
import { closed, type Wire } from '../base/wire.ts'
import { fieldSchema } from './field.ts'

export const empty = Type.Object({ type: Type.Literal('empty') }, closed)

const comparison = <Operator extends string>(operator: Operator) =>
  Type.Object({ type: Type.Literal(operator), field: fieldSchema, value: scalarValueSchema }, closed)

const within = Type.Object(
  {
    type: Type.Literal('in'),
    field: fieldSchema,
    value: Type.Array(scalarValueSchema, { maxItems: limits.query.inValues }),
  },
  closed,
)

export const isNull = Type.Object(
  { type: Type.Literal('isNull'), field: fieldSchema, value: Type.Boolean() },
  closed,
)

export const terms = <Operator extends string>(operator: Operator) =>
  Type.Object({ type: Type.Literal(operator), field: fieldSchema, value: Type.String() }, closed)

export const keyword = Type.Object({ type: Type.Literal('keyword'), query: Type.String() }, closed)

const junction = <Operator extends string>(operator: Operator) =>
  Type.Object({ type: Type.Literal(operator), value: Type.Array(Type.Ref('Query')) }, closed)

/** Objects that the link leads from to at least one object that matches the query. */
const linked = Type.Object(
  { type: Type.Literal('linked'), link: apiNameSchema, query: Type.Ref('Query') },
  closed,
)

const not = Type.Object({ type: Type.Literal('not'), value: Type.Ref('Query') }, closed)

/**
 * The query language. Call `exceededQueryLimit` first: this schema is checked by recursion, so otherwise only the stack
 * would limit the nesting of a hostile body.
 */
export const querySchema = Type.Cyclic(
  {
    Query: Type.Union([
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
      linked,
    ]),
  },
  'Query',
)

export type Query = Wire<typeof querySchema>
export type QueryType = Query['type']
export type LinkedQuery = Extract<Query, { readonly type: 'linked' }>

/** Every value of `query.type`. The compiler refuses a list that lacks one or has one too many. */
export const queryTypes = tableNames({
  empty: 0,
  eq: 0,
  lt: 0,
  lte: 0,
  gt: 0,
  gte: 0,
  in: 0,
  isNull: 0,
  prefix: 0,
  phrase: 0,
  anyTerm: 0,
  allTerms: 0,
  contains: 0,
  keyword: 0,
  and: 0,
  or: 0,
  not: 0,
  linked: 0,
} satisfies Record<QueryType, 0>)
