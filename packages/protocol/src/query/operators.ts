// The operators of queries: what a condition on one property may be. The schemas, the types of the client, the conditions of the
// command and of the explorer, and what agents read come from this table.
import { tableNames } from '../base/table-names.ts'
import type { ScalarType } from '../values/type-names.ts'
import type { ScalarValue } from '../values/property-value.ts'

/** What `value` is: one value of the type of the property, a list of such values, true or false, or a text of terms. */
export type OperandKind = 'scalar' | 'list' | 'boolean' | 'text'

interface OperatorRow {
  readonly value: OperandKind
  /** The properties that it may be used on: all, all but booleans, arrays, or those of strings. */
  readonly on: 'all' | 'ordered' | 'arrays' | 'strings'
  /** Between a property and a value, as people read it. */
  readonly words: string
  readonly wordsOfTimes?: string
  /** What people write who know SQL. */
  readonly signs?: readonly string[]
}

export const queryOperators = {
  eq: { value: 'scalar', on: 'all', words: 'is', signs: ['=', '==', 'is'] },
  lt: { value: 'scalar', on: 'ordered', words: 'is less than', wordsOfTimes: 'is before', signs: ['<'] },
  lte: { value: 'scalar', on: 'ordered', words: 'is at most', wordsOfTimes: 'is until', signs: ['<='] },
  gt: { value: 'scalar', on: 'ordered', words: 'is more than', wordsOfTimes: 'is after', signs: ['>'] },
  gte: { value: 'scalar', on: 'ordered', words: 'is at least', wordsOfTimes: 'is from', signs: ['>='] },
  in: { value: 'list', on: 'all', words: 'is one of' },
  isNull: { value: 'boolean', on: 'all', words: 'has no value' },
  prefix: { value: 'text', on: 'strings', words: 'begins with', signs: ['like'] },
  phrase: { value: 'text', on: 'strings', words: 'has the words' },
  anyTerm: { value: 'text', on: 'strings', words: 'has any word of' },
  allTerms: { value: 'text', on: 'strings', words: 'has all words of' },
  contains: { value: 'scalar', on: 'arrays', words: 'contains' },
} as const satisfies Readonly<Record<string, OperatorRow>>

export type QueryOperators = typeof queryOperators
export type QueryOperator = keyof QueryOperators

/** The operators whose `value` is of this kind. */
export type OperatorOf<Kind extends OperandKind> = {
  [Operator in QueryOperator]: QueryOperators[Operator]['value'] extends Kind ? Operator : never
}[QueryOperator]

export const queryOperatorNames = tableNames(queryOperators)

export const queryOperator = (name: QueryOperator): OperatorRow => queryOperators[name]

export const operatorsTaking = <Kind extends OperandKind>(kind: Kind): readonly OperatorOf<Kind>[] =>
  queryOperatorNames.filter((name): name is OperatorOf<Kind> => queryOperators[name].value === kind)

/** The conditions on one property, where a `value` of each kind has the type given for it. */
export type ConditionOf<Values extends Readonly<Record<OperandKind, unknown>>> = {
  readonly [Operator in QueryOperator]: {
    readonly type: Operator
    readonly field: string
    readonly value: Values[QueryOperators[Operator]['value']]
  }
}[QueryOperator]

export type Condition = ConditionOf<{
  readonly scalar: ScalarValue
  readonly list: readonly ScalarValue[]
  readonly boolean: boolean
  readonly text: string
}>

/** Whether this is a condition whose `value` is of this kind. */
export const isCondition = <Node extends { readonly type: string }, Kind extends OperandKind>(
  node: Node,
  kind: Kind,
): node is Extract<Node, { readonly type: OperatorOf<Kind> }> =>
  Object.hasOwn(queryOperators, node.type) && queryOperators[node.type as QueryOperator].value === kind

/** The condition on a field; an operator that takes one value takes the first. */
export function conditionOf(type: QueryOperator, field: string, values: readonly ScalarValue[]): Condition {
  const [value = ''] = values
  const { value: kind } = queryOperators[type]
  const operands = { scalar: value, list: values, boolean: value === true, text: String(value) }
  return { type, field, value: operands[kind] } as Condition
}

/** The operators that may be used on values of this type. */
export const operatorsOn = (scalar: ScalarType, isArray: boolean): readonly QueryOperator[] =>
  queryOperatorNames.filter((name) => {
    const { on } = queryOperator(name)
    return (
      on === 'all' ||
      (on === 'ordered' && scalar !== 'boolean') ||
      (on === 'arrays' && isArray) ||
      (on === 'strings' && scalar === 'string')
    )
  })
