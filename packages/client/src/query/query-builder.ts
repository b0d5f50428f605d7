import type { AnyObjectType, ObjectTypeShape } from './object-type-shape.ts'
import { operators } from './operators.ts'
import type {
  FieldOf,
  LinkedType,
  LinkName,
  OperandOf,
  OperatorField,
  Query,
  QueryOperator,
} from './query.ts'

type Comparing<Type extends ObjectTypeShape> = {
  readonly [Operator in Exclude<QueryOperator, 'isNull'>]: <Field extends OperatorField<Type, Operator>>(
    field: Field,
    value: OperandOf<Type, Operator, Field>,
  ) => Query<Type>
}

/** One function per query type; each returns the JSON to send. */
export interface QueryBuilder<Type extends ObjectTypeShape = AnyObjectType> extends Comparing<Type> {
  /** Matches every object. */
  readonly everything: () => Query<Type>
  /** Matches objects that have no value for the field. */
  readonly isNull: (field: FieldOf<Type>) => Query<Type>
  readonly isNotNull: (field: FieldOf<Type>) => Query<Type>
  /** Matches objects whose searchable texts together contain every term. */
  readonly keyword: (text: string) => Query<Type>
  readonly and: (...queries: readonly Query<Type>[]) => Query<Type>
  readonly or: (...queries: readonly Query<Type>[]) => Query<Type>
  readonly not: (query: Query<Type>) => Query<Type>
  /** Matches objects that the link leads from to an object that matches the query; without a query, to any object. */
  readonly linked: <Link extends LinkName<Type>>(
    link: Link,
    query?: Query<LinkedType<Type, Link>>,
  ) => Query<Type>
}

const comparing =
  (type: string) =>
  (field: string, value: unknown): unknown => ({ type, field, value })

const builder = {
  ...Object.fromEntries(Object.keys(operators).map((type) => [type, comparing(type)])),
  everything: () => ({ type: 'empty' }),
  isNull: (field: string) => ({ type: 'isNull', field, value: true }),
  isNotNull: (field: string) => ({ type: 'isNull', field, value: false }),
  keyword: (query: string) => ({ type: 'keyword', query }),
  and: (...value: readonly unknown[]) => ({ type: 'and', value }),
  or: (...value: readonly unknown[]) => ({ type: 'or', value }),
  not: (value: unknown) => ({ type: 'not', value }),
  linked: (link: string, query: unknown = { type: 'empty' }) => ({ type: 'linked', link, query }),
}

/** All object types share the same functions at run time; only the compiler knows what each type allows. */
export const queryBuilder = <Type extends ObjectTypeShape>(): QueryBuilder<Type> =>
  builder as unknown as QueryBuilder<Type>
