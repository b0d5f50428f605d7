// The filter parameters of revision 1.0: properties.{property}.{operator}={value}.
import {
  nearestName,
  parsePropertyFilterName,
  propertyFilterOperators,
  type PropertyFilterOperator,
} from '@octavo/protocol'
import { ServiceError } from '../../base/errors/service-error.ts'
import type { QueryParameters } from './query-parameters.ts'

export interface PropertyFilter {
  readonly property: string
  readonly operator: PropertyFilterOperator
  readonly values: readonly string[]
}

export const looksLikeFilter = (name: string): boolean => /^(?:properties|p)\./.test(name)

export function parsePropertyFilters(parameters: QueryParameters): readonly PropertyFilter[] {
  return Object.entries(parameters)
    .filter(([name, value]) => value !== undefined && looksLikeFilter(name))
    .map(([name, value]) => {
      const filter = parsePropertyFilterName(name)
      if (filter === undefined) {
        const meant = meantFilter(name)
        throw new ServiceError('MalformedPropertyFilters', {
          malformedPropertyFilter: name,
          ...(meant !== undefined && { didYouMean: [meant] }),
        })
      }
      return { ...filter, values: [value ?? []].flat() }
    })
}

/** Suggests the same filter with an operator that exists. */
function meantFilter(name: string): string | undefined {
  const dot = name.lastIndexOf('.')
  const operator = nearestName(name.slice(dot + 1), Object.keys(propertyFilterOperators))
  const meant = `${name.slice(0, dot)}.${operator}`
  return operator !== undefined && parsePropertyFilterName(meant) !== undefined ? meant : undefined
}
