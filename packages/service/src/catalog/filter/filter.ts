// A query whose fields have been resolved to columns and whose values have been parsed. What is left to decide is how to find
// the objects.
import type { OperatorOf, ScalarType } from '@octavo/protocol'
import type { ObjectType } from '../object-type.ts'

export type Filter =
  | { readonly kind: 'everything' }
  | { readonly kind: 'nothing' }
  | ComparisonFilter
  | { readonly kind: 'one-of'; readonly column: FilterColumn; readonly values: readonly string[] }
  | { readonly kind: 'missing'; readonly column: FilterColumn }
  | TermsFilter
  | LinkedFilter
  /** Every term occurs in at least one of the columns. No index decides this. */
  | { readonly kind: 'keyword'; readonly columns: readonly string[]; readonly terms: readonly string[] }
  | { readonly kind: 'and'; readonly filters: readonly Filter[] }
  | { readonly kind: 'or'; readonly filters: readonly Filter[] }
  /** Matches every object that the filter does not match, including those without a value (P95). */
  | { readonly kind: 'not'; readonly filter: Filter }

export interface FilterColumn {
  readonly name: string
  readonly scalar: ScalarType
  /** The column is an array: a condition holds if any of its values meets it (P96). */
  readonly many: boolean
  /** An index holds only the start of its strings. */
  readonly start: boolean
}

export type Comparison = '=' | '<' | '<=' | '>' | '>='

export interface ComparisonFilter {
  readonly kind: 'compare'
  readonly column: FilterColumn
  readonly operator: Comparison
  readonly value: string
}

export interface TermsFilter {
  readonly kind: 'terms'
  /** The column that holds the terms of a property, in order. */
  readonly column: string
  readonly match: OperatorOf<'text'>
  /** Never empty: a text without terms matches nothing. */
  readonly terms: readonly string[]
}

/**
 * At least one object of another type that matches the filter is linked to the object, in a state of that type. This is checked object
 * by object; where few objects match, their keys are looked up first instead (read/links).
 */
export interface LinkedFilter {
  readonly kind: 'linked'
  /** The column that holds keys of the other type, or the primary key. */
  readonly column: FilterColumn
  readonly other: LinkedState & { readonly column: FilterColumn; readonly filter: Filter }
}

/** A state of another type. */
export interface LinkedState {
  readonly type: ObjectType
  readonly at: { readonly version: string; readonly tag: string }
}

export const everything: Filter = { kind: 'everything' }
export const nothing: Filter = { kind: 'nothing' }

/** Combines filters with "and" and drops those that have no effect. */
export function allOf(filters: readonly Filter[]): Filter {
  const flat = filters.flatMap((filter) => (filter.kind === 'and' ? filter.filters : [filter]))
  if (flat.some((filter) => filter.kind === 'nothing')) return nothing
  const kept = flat.filter((filter) => filter.kind !== 'everything')
  const [only] = kept
  return only === undefined ? everything : kept.length === 1 ? only : { kind: 'and', filters: kept }
}

export function anyOf(filters: readonly Filter[]): Filter {
  const flat = filters.flatMap((filter) => (filter.kind === 'or' ? filter.filters : [filter]))
  if (flat.some((filter) => filter.kind === 'everything')) return everything
  const kept = flat.filter((filter) => filter.kind !== 'nothing')
  const [only] = kept
  return only === undefined ? nothing : kept.length === 1 ? only : { kind: 'or', filters: kept }
}

export function noneOf(filter: Filter): Filter {
  if (filter.kind === 'everything') return nothing
  if (filter.kind === 'nothing') return everything
  return filter.kind === 'not' ? filter.filter : { kind: 'not', filter }
}

/** Every column that a filter uses. */
export function filterColumns(filter: Filter): readonly string[] {
  switch (filter.kind) {
    case 'everything':
    case 'nothing':
      return []
    case 'compare':
    case 'one-of':
    case 'missing':
    case 'linked':
      return [filter.column.name]
    case 'terms':
      return [filter.column]
    case 'keyword':
      return filter.columns
    case 'and':
    case 'or':
      return filter.filters.flatMap(filterColumns)
    case 'not':
      return filterColumns(filter.filter)
    default:
      return filter satisfies never
  }
}

/** The states of other types that a filter looks at. */
export function linkedStates(filter: Filter): readonly LinkedState[] {
  switch (filter.kind) {
    case 'linked':
      return [filter.other, ...linkedStates(filter.other.filter)]
    case 'and':
    case 'or':
      return filter.filters.flatMap(linkedStates)
    case 'not':
      return linkedStates(filter.filter)
    case 'everything':
    case 'nothing':
    case 'compare':
    case 'one-of':
    case 'missing':
    case 'terms':
    case 'keyword':
      return []
    default:
      return filter satisfies never
  }
}
