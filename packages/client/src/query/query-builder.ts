import type { AnyObjectType, ObjectTypeShape } from './object-type-shape.ts'
import type { FieldOf, LinkedType, LinkName, ManyField, Query, RangeField, ValueOf } from './query.ts'

/** One function per query type; each returns the JSON to send. */
export interface QueryBuilder<Type extends ObjectTypeShape = AnyObjectType> {
  /** Matches every object. */
  readonly everything: () => Query<Type>
  readonly eq: <Field extends FieldOf<Type>>(field: Field, value: ValueOf<Type, Field>) => Query<Type>
  readonly lt: <Field extends RangeField<Type>>(field: Field, value: ValueOf<Type, Field>) => Query<Type>
  readonly lte: <Field extends RangeField<Type>>(field: Field, value: ValueOf<Type, Field>) => Query<Type>
  readonly gt: <Field extends RangeField<Type>>(field: Field, value: ValueOf<Type, Field>) => Query<Type>
  readonly gte: <Field extends RangeField<Type>>(field: Field, value: ValueOf<Type, Field>) => Query<Type>
  readonly in: <Field extends FieldOf<Type>>(
    field: Field,
    values: readonly ValueOf<Type, Field>[],
  ) => Query<Type>
  /** Matches objects that have no value for the field. */
  readonly isNull: (field: FieldOf<Type>) => Query<Type>
  readonly isNotNull: (field: FieldOf<Type>) => Query<Type>
  /** Matches objects whose property with many values contains this value. */
  readonly contains: <Field extends ManyField<Type>>(field: Field, value: ValueOf<Type, Field>) => Query<Type>
  readonly prefix: (field: Type['terms'], text: string) => Query<Type>
  readonly phrase: (field: Type['terms'], text: string) => Query<Type>
  readonly anyTerm: (field: Type['terms'], text: string) => Query<Type>
  readonly allTerms: (field: Type['terms'], text: string) => Query<Type>
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
  <Operator extends string>(type: Operator) =>
  (field: string, value: unknown) => ({ type, field, value })

const builder = {
  everything: () => ({ type: 'empty' }),
  eq: comparing('eq'),
  lt: comparing('lt'),
  lte: comparing('lte'),
  gt: comparing('gt'),
  gte: comparing('gte'),
  in: comparing('in'),
  isNull: (field: string) => ({ type: 'isNull', field, value: true }),
  isNotNull: (field: string) => ({ type: 'isNull', field, value: false }),
  contains: comparing('contains'),
  prefix: comparing('prefix'),
  phrase: comparing('phrase'),
  anyTerm: comparing('anyTerm'),
  allTerms: comparing('allTerms'),
  keyword: (query: string) => ({ type: 'keyword', query }),
  and: (...value: readonly unknown[]) => ({ type: 'and', value }),
  or: (...value: readonly unknown[]) => ({ type: 'or', value }),
  not: (value: unknown) => ({ type: 'not', value }),
  linked: (link: string, query: unknown = { type: 'empty' }) => ({ type: 'linked', link, query }),
}

/** All object types share the same functions at run time; only the compiler knows what each type allows. */
export const queryBuilder = <Type extends ObjectTypeShape>(): QueryBuilder<Type> =>
  builder as unknown as QueryBuilder<Type>
