// Query strings that ask for objects: the list of revision 1.0, the objects that one is linked to, the versions of one.
import {
  limits,
  linkedObjectsParametersSchema,
  listParameterNames,
  orderByEntryPattern,
  pageSizes,
  versionsParametersSchema,
} from '@octavo/protocol'
import { ServiceError } from '../../base/errors/service-error.ts'
import type { OrderByKey, PageRequest } from './page-request.ts'
import { parsePaging, snapshotMode } from './parse-paging.ts'
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
    ...parsePaging(parameters, pageSizes.listObjects),
    ...snapshotMode(booleanValue(parameters, 'snapshot'), oneValue(parameters, 'snapshotToken'), 'query'),
    orderBy: parseOrderBy(oneValue(parameters, 'orderBy')),
    select: listOfValues(parameters, 'properties'),
    query: { type: 'empty' },
    filters: parsePropertyFilters(parameters),
  }
}

const linkedObjectsNames = Object.keys(linkedObjectsParametersSchema.properties)

export function parseLinkedObjectsRequest(parameters: QueryParameters): PageRequest {
  refuseUnknown(Object.keys(parameters), linkedObjectsNames)
  return {
    endpoint: 'searchObjects',
    ...parsePaging(parameters, pageSizes.search),
    ...snapshotMode(booleanValue(parameters, 'snapshot'), oneValue(parameters, 'snapshotToken'), 'query'),
    orderBy: [],
    select: listOfValues(parameters, 'select'),
    query: { type: 'empty' },
    filters: [],
  }
}

const versionsNames = Object.keys(versionsParametersSchema.properties)

export type VersionsRequest = Pick<PageRequest, 'pageSize' | 'pageToken' | 'select'>

export function parseVersionsRequest(parameters: QueryParameters): VersionsRequest {
  refuseUnknown(Object.keys(parameters), versionsNames)
  return { ...parsePaging(parameters, pageSizes.search), select: listOfValues(parameters, 'select') }
}

const orderByEntry = new RegExp(orderByEntryPattern)

/** The `orderBy` of a query string. */
export function parseOrderBy(text: string | undefined): readonly OrderByKey[] {
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

/** Checks P44. Names are compared without regard to case, as no two properties of a type differ in case alone. */
export function checkOrder(keys: readonly OrderByKey[]): readonly OrderByKey[] {
  if (keys.length > limits.order.keys) {
    throw new ServiceError('QueryTooLarge', { limit: 'orderKeys', maximum: limits.order.keys })
  }
  const folded = keys.map(({ property }) => property.toLowerCase())
  const repeated = keys.find((_key, i) => folded.indexOf(folded[i] ?? '') < i)
  if (repeated !== undefined) throw new ServiceError('DuplicateOrderBy', { properties: [repeated.property] })
  return keys
}
