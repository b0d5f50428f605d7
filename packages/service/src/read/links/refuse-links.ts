import type { Query } from '@octavo/protocol'
import { ServiceError } from '../../base/errors/service-error.ts'
import { linkedQueries } from './linked-queries.ts'

/** Where only one type is looked at, a query cannot follow links (P325). */
export function refuseLinks(query: Query, endpoint: string): void {
  if (linkedQueries(query).length > 0) throw new ServiceError('LinkedQueryNotSupported', { endpoint })
}
