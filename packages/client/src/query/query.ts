// The query language of the search, as types: what does not compile here, the service would refuse.
import type {
  AnyObjectType,
  FieldKind,
  ObjectTypeShape,
  ScalarKind,
  ScalarValue,
} from './object-type-shape.ts'
import type { operators } from './operators.ts'

interface ValueByKind {
  readonly string: string
  readonly boolean: boolean
  readonly integer: number
  /** Numbers beyond 2^53 are not exact; write such values as text. */
  readonly long: string | number
  readonly double: number
  readonly decimal: string
  readonly date: string
  readonly timestamp: string
  readonly any: ScalarValue
}

type KindOf<Type extends ObjectTypeShape, Field> = Field extends keyof Type['fields']
  ? Type['fields'][Field]
  : never

/** The fields of an object type that have one of these kinds. */
export type FieldOf<Type extends ObjectTypeShape, Kind = FieldKind> = Extract<
  {
    [Field in keyof Type['fields']]: Type['fields'][Field] extends Kind | 'any' ? Field : never
  }[keyof Type['fields']],
  string
>

/** The type of the value that a field is compared with; for a property with many values, the type of one of them. */
export type ValueOf<Type extends ObjectTypeShape, Field> =
  KindOf<Type, Field> extends infer Kind
    ? Kind extends `${infer Scalar extends ScalarKind}[]`
      ? ValueByKind[Scalar]
      : Kind extends keyof ValueByKind
        ? ValueByKind[Kind]
        : never
    : never

/** The names of the links of an object type. */
export type LinkName<Type extends ObjectTypeShape> = Extract<keyof NonNullable<Type['links']>, string>

/** The object type that a link leads to. */
export type LinkedType<Type extends ObjectTypeShape, Name extends string> =
  NonNullable<Type['links']> extends Readonly<Record<Name, infer Linked extends ObjectTypeShape>>
    ? Linked
    : never

type LinkedQuery<Type extends ObjectTypeShape, Link extends string = LinkName<Type>> = {
  [Name in Link]: {
    readonly type: 'linked'
    readonly link: Name
    readonly query: Query<LinkedType<Type, Name>>
  }
}[Link]

type QueryOperators = typeof operators
export type QueryOperator = keyof QueryOperators

/** The fields that an operator may be used on. */
interface FieldsOn<Type extends ObjectTypeShape> {
  readonly all: FieldOf<Type>
  readonly ordered: FieldOf<Type, Exclude<FieldKind, 'boolean' | 'boolean[]'>>
  readonly arrays: FieldOf<Type, `${ScalarKind}[]`>
  readonly strings: Type['terms']
}
export type OperatorField<
  Type extends ObjectTypeShape,
  Operator extends QueryOperator,
> = FieldsOn<Type>[QueryOperators[Operator]['on']]

/** What an operator compares a field with. */
export type OperandOf<Type extends ObjectTypeShape, Operator extends QueryOperator, Field> = {
  readonly scalar: ValueOf<Type, Field>
  readonly list: readonly ValueOf<Type, Field>[]
  readonly boolean: boolean
  readonly text: string
}[QueryOperators[Operator]['value']]

type Condition<Type extends ObjectTypeShape> = {
  readonly [Operator in QueryOperator]: {
    readonly [Field in OperatorField<Type, Operator>]: {
      readonly type: Operator
      readonly field: Field
      readonly value: OperandOf<Type, Operator, Field>
    }
  }[OperatorField<Type, Operator>]
}[QueryOperator]

export type Query<Type extends ObjectTypeShape = AnyObjectType> =
  | { readonly type: 'empty' }
  | Condition<Type>
  | { readonly type: 'keyword'; readonly query: string }
  | { readonly type: 'and' | 'or'; readonly value: readonly Query<Type>[] }
  | { readonly type: 'not'; readonly value: Query<Type> }
  | LinkedQuery<Type>
