// The query language of the search, as types: what does not compile here, the service would refuse.
import type {
  AnyObjectType,
  FieldKind,
  ObjectTypeShape,
  ScalarKind,
  ScalarValue,
} from './object-type-shape.ts'

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

type Ordered = Exclude<FieldKind, 'boolean' | 'boolean[]'>
export type RangeField<Type extends ObjectTypeShape> = FieldOf<Type, Ordered>
export type ManyField<Type extends ObjectTypeShape> = FieldOf<Type, `${ScalarKind}[]`>

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

type Comparison<Type extends ObjectTypeShape, Operator extends string, Field extends string> = {
  [Name in Field]: { readonly type: Operator; readonly field: Name; readonly value: ValueOf<Type, Name> }
}[Field]

type Within<Type extends ObjectTypeShape, Field extends string = FieldOf<Type>> = {
  [Name in Field]: {
    readonly type: 'in'
    readonly field: Name
    readonly value: readonly ValueOf<Type, Name>[]
  }
}[Field]

export type Query<Type extends ObjectTypeShape = AnyObjectType> =
  | { readonly type: 'empty' }
  | Comparison<Type, 'eq', FieldOf<Type>>
  | Comparison<Type, 'lt' | 'lte' | 'gt' | 'gte', RangeField<Type>>
  | Comparison<Type, 'contains', ManyField<Type>>
  | Within<Type>
  | { readonly type: 'isNull'; readonly field: FieldOf<Type>; readonly value: boolean }
  | {
      readonly type: 'prefix' | 'phrase' | 'anyTerm' | 'allTerms'
      readonly field: Type['terms']
      readonly value: string
    }
  | { readonly type: 'keyword'; readonly query: string }
  | { readonly type: 'and' | 'or'; readonly value: readonly Query<Type>[] }
  | { readonly type: 'not'; readonly value: Query<Type> }
  | LinkedQuery<Type>
