// The conditions of revision v2 are those of revision 2.0 under other names.
import type { PropertyIdentifier, Query, Where } from '@octavo/protocol'
import { ServiceError } from '../../base/errors/service-error.ts'

export function queryOfWhere(where: Where): Query {
  switch (where.type) {
    case 'and':
      return allOf(where.value.map(queryOfWhere))
    case 'or':
      return anyOf(where.value.map(queryOfWhere))
    case 'not':
      return { type: 'not', value: queryOfWhere(where.value) }
    case 'in':
      return { type: 'in', field: fieldOf(where), value: where.value }
    case 'isNull':
      return { type: 'isNull', field: fieldOf(where), value: where.value }
    // The API family calls startsWith a misleading name for the other: both look at terms.
    case 'startsWith':
    case 'containsAllTermsInOrderPrefixLastTerm':
      return { type: 'prefix', field: fieldOf(where), value: where.value }
    case 'containsAllTermsInOrder':
      return { type: 'phrase', field: fieldOf(where), value: where.value }
    case 'containsAllTerms':
      refuseFuzzy(where)
      return { type: 'allTerms', field: fieldOf(where), value: where.value }
    case 'containsAnyTerm':
      refuseFuzzy(where)
      return { type: 'anyTerm', field: fieldOf(where), value: where.value }
    default:
      return { type: where.type, field: fieldOf(where), value: where.value }
  }
}

/** Flat, because a query may not be nested deeply, and clients wrap condition around condition. */
export function allOf(queries: readonly Query[]): Query {
  const parts = queries
    .filter(({ type }) => type !== 'empty')
    .flatMap((query) => (query.type === 'and' ? query.value : [query]))
  const [only] = parts
  if (only === undefined) return { type: 'empty' }
  return parts.length === 1 ? only : { type: 'and', value: parts }
}

export function anyOf(queries: readonly Query[]): Query {
  const parts = queries.flatMap((query) => (query.type === 'or' ? query.value : [query]))
  const whole = parts.find(({ type }) => type === 'empty')
  const [only] = parts
  return whole ?? (parts.length === 1 && only !== undefined ? only : { type: 'or', value: parts })
}

interface Named {
  readonly field?: string
  readonly propertyIdentifier?: PropertyIdentifier
}

function fieldOf({ field, propertyIdentifier }: Named): string {
  if (field !== undefined && propertyIdentifier === undefined) return field
  if (field === undefined && propertyIdentifier !== undefined) return propertyOf(propertyIdentifier)
  throw new ServiceError('Conjure:UnprocessableEntity', {
    path: '/where',
    problem: 'each condition needs either a field or a propertyIdentifier, and not both',
  })
}

export const propertyOf = (identifier: PropertyIdentifier): string =>
  identifier.type === 'property'
    ? identifier.apiName
    : `${identifier.propertyApiName}:${identifier.structFieldApiName}`

function refuseFuzzy({ fuzzy }: { readonly fuzzy?: boolean }): void {
  if (fuzzy !== true) return
  throw new ServiceError('Conjure:UnprocessableEntity', {
    path: '/where',
    problem: 'fuzzy must be false, or be left out: terms are matched exactly',
  })
}
