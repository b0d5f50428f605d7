// The body of revision 2.0's search.
import { exceededQueryLimit, pageSizes, searchRequestSchema } from '@octavo/protocol'
import { ServiceError } from '../../base/errors/service-error.ts'
import { checkOrder } from './check-order.ts'
import { requireBody, shapeChecker } from './check-shape.ts'
import type { PageRequest } from './page-request.ts'
import { parsePageSize, parsePageToken, snapshotMode } from './parse-paging.ts'
import { refuseUnknownFields } from './query-parameters.ts'
import { isJsonObject, type JsonObject } from '../../base/value/json-object.ts'

const checkShape = shapeChecker(searchRequestSchema)
export const searchFields = Object.keys(searchRequestSchema.properties)

/** The fields of a body that must be there. */
export function fieldsOf(body: unknown): JsonObject {
  requireBody(body)
  if (isJsonObject(body)) return body
  throw new ServiceError('Conjure:UnprocessableEntity', { path: '', problem: 'it must be a JSON object' })
}

/** A request of another kind, which needs no query: without one, it is about all objects. */
export function parseOptionalQuery(given: unknown): PageRequest {
  const body = fieldsOf(given)
  return parseSearchRequest({ ...body, query: body['query'] ?? { type: 'empty' } })
}

export function parseSearchRequest(given: unknown): PageRequest {
  const body = fieldsOf(given)
  refuseUnknownFields(Object.keys(body), searchFields)
  // These have error names of their own, so they are read before the shape as a whole is checked. Null counts as absent
  // (P180).
  const pageSize = parsePageSize(body['pageSize'] ?? undefined, pageSizes.search)
  const pageToken = parsePageToken(body['pageToken'] ?? undefined)
  const exceeded = exceededQueryLimit(body['query'])
  if (exceeded !== undefined) throw new ServiceError('QueryTooLarge', exceeded)
  const { query, orderBy, select, snapshot } = checkShape({ ...body, pageSize, snapshotToken: undefined })
  const mode = snapshotMode(snapshot ?? undefined, body['snapshotToken'] ?? undefined, 'body')
  return {
    endpoint: 'searchObjects',
    pageSize,
    pageToken,
    ...mode,
    orderBy: checkOrder(
      (orderBy?.fields ?? []).map(({ field, direction }) => ({
        property: field,
        direction: direction ?? 'asc',
      })),
    ),
    select: select ?? undefined,
    query,
    filters: [],
  }
}
