// What is counted: the filters of revision 1.0, or the query of revision 2.0.
import { countRequestSchema, pageSizes } from '@octavo/protocol'
import { isJsonObject } from '../../base/value/json-object.ts'
import type { PageRequest } from './page-request.ts'
import type { PageInput } from './parse-page-request.ts'
import { looksLikeFilter, parsePropertyFilters } from './parse-property-filters.ts'
import { parseSearchRequest } from './parse-search-request.ts'
import { snapshotMode } from './parse-snapshot-token.ts'
import { oneValue, refuseUnknown, refuseUnknownFields } from './query-parameters.ts'

const countFields = Object.keys(countRequestSchema.properties)

export function parseCountRequest(input: PageInput): PageRequest {
  const { endpoint, parameters } = input
  if (endpoint === 'searchObjects') {
    refuseUnknown(Object.keys(parameters), [], { inBody: countFields })
    if (isJsonObject(input.body)) refuseUnknownFields(Object.keys(input.body), countFields)
    return parseSearchRequest(input.body)
  }
  refuseUnknown(Object.keys(parameters), ['snapshotToken'], { isExpected: looksLikeFilter })
  return {
    endpoint,
    pageSize: pageSizes.listObjects.maximum,
    pageToken: undefined,
    ...snapshotMode(undefined, oneValue(parameters, 'snapshotToken')),
    orderBy: [],
    select: undefined,
    query: { type: 'empty' },
    filters: parsePropertyFilters(parameters),
  }
}
