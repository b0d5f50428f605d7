// A filter as a row of conditions that all must hold, and the query that says the same.
import type { Query } from '@octavo/client'
import { conditionOf, operatorsOn, queryOperator, type QueryOperator } from '@octavo/protocol/vocabulary'
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

const more = { neq: 'is not', none: 'has no value', some: 'has a value' } as const

export type Operator = Exclude<QueryOperator, 'isNull'> | keyof typeof more

const isOfQuery = (operator: Operator): operator is Exclude<QueryOperator, 'isNull'> =>
  !Object.hasOwn(more, operator)

export function operatorText(operator: Operator, field: Field | undefined): string {
  if (!isOfQuery(operator)) return more[operator]
  const { words, wordsOfTimes = words } = queryOperator(operator)
  return field?.kind === 'timestamp' || field?.kind === 'date' ? wordsOfTimes : words
}

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
  const isArray = isMany && !isComponent
  const usable = operatorsOn(kind, isArray).filter((each) => each !== 'isNull')
  const ofOne = usable.filter((each) => queryOperator(each).value === 'scalar')
  const others = usable.filter((each) => !ofOne.includes(each))
  return isArray ? ['contains', ...others, ...ends] : ['eq', 'neq', ...others, ...ofOne.slice(1), ...ends]
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
  if (isOfQuery(operator) && queryOperator(operator).value === 'list') {
    const values = text.split(',').map((each) => valueOf(kind, each.trim()))
    const known = values.filter((value) => value !== undefined)
    return known.length < values.length ? wrong(field) : conditionOf(operator, name, known)
  }
  const value = valueOf(kind, text)
  if (value === undefined || value === '') return wrong(field)
  if (operator === 'neq') {
    // Another value: what has none is not another one.
    const other: Query = { type: 'not', value: conditionOf('eq', name, [value]) }
    return { type: 'and', value: [{ type: 'isNull', field: name, value: false }, other] }
  }
  return conditionOf(operator, name, [value])
}

const wrong = ({ name, kind }: Field): string => `${name} is compared with a ${kind}: type one.`

function readCondition(query: Query): Condition | undefined {
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
  if (!('field' in query)) return undefined
  return { field: query.field, operator: query.type, text: [query.value].flat().join(', ') }
}

/** The conditions of a query; undefined for one that is more than conditions which all must hold. */
export function conditionsOf(query: Query | undefined): readonly Condition[] | undefined {
  if (query === undefined || query.type === 'empty') return []
  const parts = query.type === 'and' ? query.value : [query]
  const conditions = parts.map(readCondition)
  return conditions.includes(undefined) ? undefined : conditions.filter((each) => each !== undefined)
}

/** One condition that is an `and` itself is put into another one, so that those of an `and` are conditions. */
export function queryOfAll(queries: readonly Query[]): Query | undefined {
  const [only] = queries
  return queries.length > 1 || only?.type === 'and' ? { type: 'and', value: queries } : only
}
