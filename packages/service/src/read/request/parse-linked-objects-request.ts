// The query string of the objects that an object is linked to, in revision 2.0.
import { linkedObjectsParametersSchema, pageSizes } from '@octavo/protocol'
import type { PageRequest } from './page-request.ts'
import { pageSizeFromText, parsePageSize, parsePageToken, snapshotMode } from './parse-paging.ts'
import {
  booleanValue,
  listOfValues,
  oneValue,
  refuseUnknown,
  type QueryParameters,
} from './query-parameters.ts'

const names = Object.keys(linkedObjectsParametersSchema.properties)

export function parseLinkedObjectsRequest(parameters: QueryParameters): PageRequest {
  refuseUnknown(Object.keys(parameters), names)
  return {
    endpoint: 'searchObjects',
    pageSize: parsePageSize(pageSizeFromText(oneValue(parameters, 'pageSize')), pageSizes.search),
    pageToken: parsePageToken(oneValue(parameters, 'pageToken')),
    ...snapshotMode(booleanValue(parameters, 'snapshot'), oneValue(parameters, 'snapshotToken'), 'query'),
    orderBy: [],
    select: listOfValues(parameters, 'select'),
    query: { type: 'empty' },
    filters: [],
  }
}
