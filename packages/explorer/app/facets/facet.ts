// How many objects have which value of a property: the largest groups, and exactly what is not among them.
import type { Query } from '@octavo/client'
import { queryOfAll } from '../filter/conditions.ts'

export type FacetValue = string | number | boolean

export interface Facet {
  /** The most frequent values, those of most objects first. */
  readonly values: readonly { readonly value: FacetValue; readonly objects: number }[]
  /** How many objects match, with a value and without. */
  readonly objects: number
  readonly withoutValue: number
  /** Not shown: the number of other values, and of the objects that have them. */
  readonly others: { readonly values: number; readonly objects: number }
}

interface Totals {
  readonly count: number
  readonly distinct: number
  /** The objects with a value that is not among the first. */
  readonly excluded: number
}

export function facetOf(values: Facet['values'], { count, distinct, excluded }: Totals): Facet {
  const shown = values.reduce((sum, { objects }) => sum + objects, 0)
  return {
    values,
    objects: count,
    withoutValue: count - shown - excluded,
    others: { values: distinct - values.length, objects: excluded },
  }
}

/** The condition that a click on a value adds; null is for objects without one. */
export const conditionFor = (field: string, value: FacetValue | null): Query => {
  if (value === null) return { type: 'isNull', field, value: true }
  // An empty text cannot be typed as a condition; in a list it can be changed and removed like any other.
  return value === '' ? { type: 'in', field, value: [value] } : { type: 'eq', field, value }
}

const partsOf = (query: Query | undefined): readonly Query[] =>
  query === undefined || query.type === 'empty' ? [] : query.type === 'and' ? query.value : [query]

const isSame = (a: Query, b: Query): boolean => JSON.stringify(a) === JSON.stringify(b)

export const hasCondition = (query: Query | undefined, condition: Query): boolean =>
  partsOf(query).some((part) => isSame(part, condition))

/** Adds the condition to those that must hold, or takes it away again. */
export function toggled(query: Query | undefined, condition: Query): Query | undefined {
  const parts = partsOf(query)
  const others = parts.filter((part) => !isSame(part, condition))
  return queryOfAll(others.length < parts.length ? others : [...parts, condition])
}
