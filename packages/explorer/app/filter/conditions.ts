// A filter as a row of conditions that all must hold, and the query that says the same.
import type { Query } from '@octavo/client'
import type { ObjectType, PropertyType, Scalar } from '../types/object-type.ts'

/** What a query may name: a property, or a component of a struct as `property:component`. */
export interface Field {
  readonly name: string
  readonly property: string
  readonly kind: Scalar
  readonly isMany: boolean
  readonly isSearchable: boolean
}

export interface Condition {
  readonly field: string
  readonly operator: Operator
  /** As it is typed; several values for `in` are separated by commas. */
  readonly text: string
}

const operators = {
  eq: 'is',
  neq: 'is not',
  in: 'is one of',
  lt: 'is less than',
  lte: 'is at most',
  gt: 'is more than',
  gte: 'is at least',
  contains: 'contains',
  prefix: 'begins with',
  phrase: 'has the words',
  anyTerm: 'has any word of',
  allTerms: 'has all words of',
  none: 'has no value',
  some: 'has a value',
} as const

export type Operator = keyof typeof operators

const timeOperators: Readonly<Partial<Record<Operator, string>>> = {
  lt: 'is before',
  lte: 'is until',
  gt: 'is after',
  gte: 'is from',
}

export const operatorText = (operator: Operator, field: Field | undefined): string =>
  (field?.kind === 'timestamp' || field?.kind === 'date' ? timeOperators[operator] : undefined) ??
  operators[operator]

export const takesValue = (operator: Operator): boolean => operator !== 'none' && operator !== 'some'

export const fieldsOf = ({ properties }: ObjectType): readonly Field[] =>
  Object.entries(properties).flatMap(([property, { type, searchable }]) =>
    fieldsOfType(property, type, false).map((field) => ({ ...field, property, isSearchable: searchable })),
  )

function fieldsOfType(
  name: string,
  type: PropertyType,
  isMany: boolean,
): readonly Pick<Field, 'name' | 'kind' | 'isMany'>[] {
  if (typeof type === 'string') return [{ name, kind: type, isMany }]
  if ('array' in type) return fieldsOfType(name, type.array, true)
  return Object.entries(type.struct).map(([component, { type: kind }]) => ({
    name: `${name}:${component}`,
    kind,
    isMany,
  }))
}

export function operatorsOf({ kind, isMany, name }: Field): readonly Operator[] {
  const isComponent = name.includes(':')
  const ends: readonly Operator[] = isComponent ? [] : ['none', 'some']
  if (kind === 'boolean') return ['eq', ...ends]
  const words: readonly Operator[] = kind === 'string' ? ['prefix', 'phrase', 'anyTerm', 'allTerms'] : []
  if (isMany && !isComponent) return ['contains', 'in', ...words, ...ends]
  return ['eq', 'neq', 'in', ...words, 'gte', 'gt', 'lte', 'lt', ...ends]
}

/** Undefined for a text that is no value of this kind. */
function valueOf(kind: Scalar, text: string): string | number | boolean | undefined {
  const trimmed = text.trim()
  switch (kind) {
    case 'integer':
    case 'double':
      return trimmed === '' || Number.isNaN(Number(trimmed)) ? undefined : Number(trimmed)
    case 'boolean':
      return trimmed === 'true' ? true : trimmed === 'false' ? false : undefined
    case 'timestamp':
      // A day is short for its beginning.
      return /^\d{4}-\d\d-\d\d$/.test(trimmed) ? `${trimmed}T00:00:00Z` : trimmed || undefined
    case 'long':
    case 'decimal':
    case 'date':
      return trimmed || undefined
    case 'string':
      return text
    default:
      return kind satisfies never
  }
}

/** The query of a condition, or a sentence that says what is wrong with its value. */
export function queryOf({ operator, text }: Condition, field: Field): Query | string {
  const { name, kind } = field
  if (operator === 'none' || operator === 'some') {
    return { type: 'isNull', field: name, value: operator === 'none' }
  }
  if (operator === 'in') {
    const values = text.split(',').map((each) => valueOf(kind, each.trim()))
    const known = values.filter((value) => value !== undefined)
    return known.length < values.length ? wrong(field) : { type: 'in', field: name, value: known }
  }
  const value = valueOf(kind, text)
  if (value === undefined || value === '') return wrong(field)
  if (operator === 'neq') {
    // Another value: what has none is not another one.
    const other: Query = { type: 'not', value: { type: 'eq', field: name, value } }
    return { type: 'and', value: [{ type: 'isNull', field: name, value: false }, other] }
  }
  return { type: operator, field: name, value } as Query
}

const wrong = ({ name, kind }: Field): string => `${name} is compared with a ${kind}: type one.`

function conditionOf(query: Query): Condition | undefined {
  if (query.type === 'isNull') {
    return { field: query.field, operator: query.value ? 'none' : 'some', text: '' }
  }
  if (query.type === 'and') {
    const [some, not] = query.value
    const inner = not?.type === 'not' ? not.value : undefined
    const isOther =
      query.value.length === 2 &&
      some?.type === 'isNull' &&
      !some.value &&
      inner?.type === 'eq' &&
      inner.field === some.field
    return isOther ? { field: inner.field, operator: 'neq', text: String(inner.value) } : undefined
  }
  if (query.type === 'in') return { field: query.field, operator: 'in', text: query.value.join(', ') }
  if (!('field' in query) || !Object.hasOwn(operators, query.type)) return undefined
  return { field: query.field, operator: query.type as Operator, text: String(query.value) }
}

/** The conditions of a query; undefined for one that is more than conditions which all must hold. */
export function conditionsOf(query: Query | undefined): readonly Condition[] | undefined {
  if (query === undefined || query.type === 'empty') return []
  const parts = query.type === 'and' ? query.value : [query]
  const conditions = parts.map(conditionOf)
  return conditions.includes(undefined) ? undefined : conditions.filter((each) => each !== undefined)
}

/** One condition that is an `and` itself is put into another one, so that those of an `and` are conditions. */
export function queryOfAll(queries: readonly Query[]): Query | undefined {
  const [only] = queries
  return queries.length > 1 || only?.type === 'and' ? { type: 'and', value: queries } : only
}
