import type { LinkedQuery, Query } from '@octavo/protocol'
import { ServiceError } from '../../base/errors/service-error.ts'

/** The conditions of a query that follow a link, without those inside them. */
export function linkedQueries(query: Query): readonly LinkedQuery[] {
  switch (query.type) {
    case 'linked':
      return [query]
    case 'and':
    case 'or':
      return query.value.flatMap(linkedQueries)
    case 'not':
      return linkedQueries(query.value)
    default:
      return []
  }
}

/** Where only one type is looked at, a query cannot follow links (P325). */
export function refuseLinks(query: Query, endpoint: string): void {
  if (linkedQueries(query).length > 0) throw new ServiceError('LinkedQueryNotSupported', { endpoint })
}
