// Queries, aggregations and object sets that are nearly right.
import { operatorsTaking } from '@octavo/protocol'
import type { Chance } from '../chances.ts'
import type { Values } from './values.ts'

export const fieldNames = [
  'id',
  'n',
  'l',
  'd',
  'm',
  'day',
  'at',
  'b',
  'cat',
  'tags',
  'st:x',
  'st:y',
  'st',
  'peer',
  'nosuch',
  'properties.n',
]

export interface Queries {
  readonly field: () => string
  readonly query: (depth?: number) => unknown
  readonly metric: () => unknown
  readonly group: () => unknown
  readonly where: () => unknown
  readonly objectSet: (depth?: number) => unknown
}

const compared = [...operatorsTaking('scalar'), ...operatorsTaking('text')]
const conditions = [
  'eq',
  'gte',
  'lt',
  'contains',
  'startsWith',
  'containsAnyTerm',
  'containsAllTerms',
  'containsAllTermsInOrder',
  'containsAllTermsInOrderPrefixLastTerm',
]
const metrics = ['count', 'min', 'max', 'sum', 'avg', 'exactDistinct', 'approximateDistinct']
const units = ['SECONDS', 'MINUTES', 'HOURS', 'DAYS', 'WEEKS', 'MONTHS', 'QUARTERS', 'YEARS']
const linkNames = ['peer', 'peers', 'x']
const mostDepth = 4

export function queriesByChance({ below, one }: Chance, values: Values): Queries {
  const { text, number, scalar, any, fraction } = values
  const field = (): string => one(fieldNames)
  const value = (): unknown => (fraction(70) ? scalar() : any())
  const some = (most: number, make: () => unknown): readonly unknown[] =>
    Array.from({ length: below(most + 1) }, make)

  const query = (depth = 0): unknown => {
    const inner = (): unknown => (depth < mostDepth ? query(depth + 1) : { type: 'empty' })
    switch (below(10)) {
      case 0:
        return { type: 'empty' }
      case 1:
        return { type: one(['and', 'or']), value: some(3, inner) }
      case 2:
        return { type: 'not', value: inner() }
      case 3:
        return { type: 'linked', link: one(linkNames), query: inner() }
      case 4:
        return { type: 'keyword', query: text() }
      case 5:
        return { type: 'in', field: field(), value: some(4, value) }
      case 6:
        return { type: 'isNull', field: field(), value: fraction(80) ? fraction(50) : any() }
      case 7:
        return fraction(20) ? any() : { type: 'empty' }
      default:
        return { type: one(compared), field: field(), value: value() }
    }
  }
  const where = (): unknown => {
    switch (below(6)) {
      case 0:
        return { type: 'in', field: field(), value: some(3, scalar) }
      case 1:
        return { type: 'isNull', field: field(), value: fraction(50) }
      case 2:
        return { type: one(['and', 'or']), value: fraction(50) ? [] : [{ type: 'eq', field: 'n', value: 1 }] }
      case 3: {
        const names = { propertyApiName: 'st', structFieldApiName: one(['x', 'y', 'z']) }
        return {
          type: one(conditions),
          propertyIdentifier: { type: 'structField', ...names },
          value: scalar(),
        }
      }
      case 4:
        return fraction(50) ? any() : { type: 'not', value: { type: 'eq', field: field(), value: scalar() } }
      default:
        return { type: one(conditions), field: field(), value: scalar() }
    }
  }
  const objectSet = (depth = 0): unknown => {
    const base = { type: 'base', objectType: fraction(80) ? 'item' : text() }
    const inner = (): unknown => (depth < mostDepth ? objectSet(depth + 1) : base)
    switch (below(8)) {
      case 0:
        return { type: 'filter', objectSet: inner(), where: where() }
      case 1:
        return { type: 'static', objects: some(3, text) }
      case 2:
        return { type: one(['union', 'intersect', 'subtract']), objectSets: some(3, inner) }
      case 3:
        return { type: 'searchAround', objectSet: inner(), link: one(linkNames) }
      case 4:
        return { type: 'asType', objectSet: base, entityType: 'item' }
      case 5:
        return fraction(30) ? any() : base
      default:
        return base
    }
  }
  return {
    field,
    query,
    where,
    objectSet,
    metric: () => ({
      type: one(metrics),
      ...(fraction(80) && { field: field() }),
      ...(fraction(10) && { name: text() }),
      ...(fraction(20) && { direction: one(['ASC', 'DESC', 'asc', 'desc']) }),
    }),
    group: () => {
      switch (below(4)) {
        case 0:
          return { type: 'fixedWidth', field: field(), fixedWidth: number() }
        case 1:
          return { type: 'duration', field: field(), value: one([1, 5, 9_999, 10_000]), unit: one(units) }
        case 2:
          return { type: 'ranges', field: field(), ranges: [{ startValue: scalar(), endValue: scalar() }] }
        default:
          return {
            type: 'exact',
            field: field(),
            ...(fraction(30) && { includeNullValues: true }),
            ...(fraction(20) && { maxGroupCount: number() }),
          }
      }
    },
  }
}
