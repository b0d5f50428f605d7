// The query string of revision 1.0's list objects.
import { listParameterNames, orderByEntryPattern, pageSizes } from '@octavo/protocol'
import { ServiceError } from '../../base/errors/service-error.ts'
import { checkOrder } from './check-order.ts'
import type { PageRequest, WantedKey } from './page-request.ts'
import { pageSizeFromText, parsePageSize, parsePageToken, snapshotMode } from './parse-paging.ts'
import { looksLikeFilter, parsePropertyFilters } from './parse-property-filters.ts'
import {
  booleanValue,
  listOfValues,
  oneValue,
  refuseUnknown,
  type QueryParameters,
} from './query-parameters.ts'

export function parseListRequest(parameters: QueryParameters): PageRequest {
  refuseUnknown(Object.keys(parameters), listParameterNames, { isExpected: looksLikeFilter })
  return {
    endpoint: 'listObjects',
    pageSize: parsePageSize(pageSizeFromText(oneValue(parameters, 'pageSize')), pageSizes.listObjects),
    pageToken: parsePageToken(oneValue(parameters, 'pageToken')),
    ...snapshotMode(booleanValue(parameters, 'snapshot'), oneValue(parameters, 'snapshotToken'), 'query'),
    orderBy: parseOrderBy(oneValue(parameters, 'orderBy')),
    select: listOfValues(parameters, 'properties'),
    query: { type: 'empty' },
    filters: parsePropertyFilters(parameters),
  }
}

const orderByEntry = new RegExp(orderByEntryPattern)

/** The `orderBy` of a query string. */
export function parseOrderBy(text: string | undefined): readonly WantedKey[] {
  if (text === undefined || text === '') return []
  return checkOrder(
    text.split(',').map((entry) => {
      const { property, direction = 'asc' } = orderByEntry.exec(entry.trim())?.groups ?? {}
      if (property === undefined) throw new ServiceError('InvalidSortType', { invalidSortType: entry })
      if (direction !== 'asc' && direction !== 'desc') {
        throw new ServiceError('InvalidSortOrder', { invalidSortOrder: direction })
      }
      return { property, direction }
    }),
  )
}
