import { Type, type TSchema } from 'typebox'

import { limits } from '../base/limits.ts'
import { apiNameSchema } from '../values/api-name.ts'
import { scalarValueSchema } from '../values/property-value.ts'
import { closed } from '../base/wire.ts'
import { fieldSchema } from './field.ts'
import { queryOperator, queryOperatorNames, type Condition, type OperandKind } from './operators.ts'

/** Conditions, and what combines them, under this name; only the values that conditions compare with differ. */
export function queryLanguage(
  name: string,
  values: Readonly<Record<'scalar' | 'list', TSchema>>,
  more: readonly TSchema[] = [],
): TSchema {
  const operands: Readonly<Record<OperandKind, TSchema>> = {
    ...values,
    boolean: Type.Boolean(),
    text: Type.String(),
  }
  const variant = (type: string, fields: Readonly<Record<string, TSchema>>) =>
    Type.Object({ type: Type.Literal(type), ...fields }, closed)
  const inner = Type.Ref(name)
  const variants = [
    variant('empty', {}),
    ...queryOperatorNames.map((operator) =>
      variant(operator, { field: fieldSchema, value: operands[queryOperator(operator).value] }),
    ),
    variant('keyword', { query: Type.String() }),
    variant('and', { value: Type.Array(inner) }),
    variant('or', { value: Type.Array(inner) }),
    variant('not', { value: inner }),
    ...more,
  ]
  return Type.Cyclic({ [name]: Type.Union(variants) }, name)
}

export type WholeObjectQuery =
  { readonly type: 'empty' } | { readonly type: 'keyword'; readonly query: string }

/** Objects that the link leads from to at least one object that matches the query. */
export interface LinkedQuery {
  readonly type: 'linked'
  readonly link: string
  readonly query: Query
}

export type Query =
  | Condition
  | WholeObjectQuery
  | { readonly type: 'and' | 'or'; readonly value: readonly Query[] }
  | { readonly type: 'not'; readonly value: Query }
  | LinkedQuery
export type QueryType = Query['type']

/**
 * The query language. Call `exceededQueryLimit` first: this schema is checked by recursion, so otherwise only the stack
 * would limit the nesting of a hostile body.
 */
export const querySchema = Type.Unsafe<Query>(
  queryLanguage(
    'Query',
    {
      scalar: scalarValueSchema,
      list: Type.Array(scalarValueSchema, { maxItems: limits.query.inValues }),
    },
    [Type.Object({ type: Type.Literal('linked'), link: apiNameSchema, query: Type.Ref('Query') }, closed)],
  ),
)

/** Every value of `query.type`. */
export const queryTypes: readonly QueryType[] = [
  'empty',
  ...queryOperatorNames,
  ...(['keyword', 'and', 'or', 'not', 'linked'] as const),
]
