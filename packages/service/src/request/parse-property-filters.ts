// The filter parameters of revision 1.0: properties.{property}.{operator}={value}.
import { parsePropertyFilterName, type PropertyFilterOperator } from '@octavo/protocol'
import { ServiceError } from '../errors/service-error.ts'
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
        throw new ServiceError('MalformedPropertyFilters', { malformedPropertyFilter: name })
      }
      return { ...filter, values: [value ?? []].flat() }
    })
}
