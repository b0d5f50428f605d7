// Bodies of revision 2.0 that name objects by a query: a search, and what is asked in the same words.
import {
  countRequestSchema,
  exceededQueryLimit,
  exportRequestSchema,
  linkPairsRequestSchema,
  pageSizes,
  partitionsRequestSchema,
  searchRequestSchema,
} from '@octavo/protocol'
import { ServiceError } from '../../base/errors/service-error.ts'
import { isJsonObject, type JsonObject } from '../../base/value/json-object.ts'
import { requireBody, shapeChecker } from './check-shape.ts'
import type { PageRequest } from './page-request.ts'
import { checkOrder } from './parse-list-request.ts'
import { parsePageSize, parsePageToken, snapshotMode } from './parse-paging.ts'
import { refuseUnknown, refuseUnknownFields, type QueryParameters } from './query-parameters.ts'

const checkSearch = shapeChecker(searchRequestSchema)
const checkPartitions = shapeChecker(partitionsRequestSchema)
export const searchFields = Object.keys(searchRequestSchema.properties)

/** The fields of a body that must be there. */
export function fieldsOf(body: unknown): JsonObject {
  requireBody(body)
  if (isJsonObject(body)) return body
  throw new ServiceError('Conjure:UnprocessableEntity', { path: '', problem: 'it must be a JSON object' })
}

/** The same for a request that has all it says in its body, and in fields that its schema declares. */
export function declaredFields(
  parameters: QueryParameters,
  body: unknown,
  { properties }: { readonly properties: object },
): JsonObject {
  const declared = Object.keys(properties)
  refuseUnknown(Object.keys(parameters), [], { inBody: declared })
  const fields = fieldsOf(body)
  refuseUnknownFields(Object.keys(fields), declared)
  return fields
}

export function parseSearchRequest(body: unknown): PageRequest {
  const fields = fieldsOf(body)
  refuseUnknownFields(Object.keys(fields), searchFields)
  // These have error names of their own, so they are read before the shape as a whole is checked. Null counts as absent
  // (P180).
  const pageSize = parsePageSize(fields['pageSize'] ?? undefined, pageSizes.search)
  const pageToken = parsePageToken(fields['pageToken'] ?? undefined)
  const exceeded = exceededQueryLimit(fields['query'])
  if (exceeded !== undefined) throw new ServiceError('QueryTooLarge', exceeded)
  const { query, orderBy, select, snapshot } = checkSearch({ ...fields, pageSize, snapshotToken: undefined })
  const mode = snapshotMode(snapshot ?? undefined, fields['snapshotToken'] ?? undefined, 'body')
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

/** A request that needs no query: without one, it is about all objects. */
export const parseOptionalQuery = (fields: JsonObject): PageRequest =>
  parseSearchRequest({ ...fields, query: fields['query'] ?? { type: 'empty' } })

export const parseCountRequest = (parameters: QueryParameters, body: unknown): PageRequest =>
  parseOptionalQuery(declaredFields(parameters, body, countRequestSchema))

/** Pairs are asked for as a search is, without an order or a selection. */
export const parsePairsRequest = (parameters: QueryParameters, body: unknown): PageRequest =>
  parseOptionalQuery(declaredFields(parameters, body, linkPairsRequestSchema))

/**
 * An export asks for what the pages of a snapshot walk ask for, so each accepts the page tokens of the other (P263). Its
 * pages are as large as may be unless the request says otherwise: nobody waits for a whole one.
 */
export function parseExportRequest(parameters: QueryParameters, body: unknown): PageRequest {
  const fields = declaredFields(parameters, body, exportRequestSchema)
  const pageSize = fields['pageSize'] ?? pageSizes.search.maximum
  return { ...parseOptionalQuery({ ...fields, pageSize, snapshot: true }), isExport: true }
}

export interface ParsedPartitions {
  readonly partitionCount: number
  /** The search with which each partition is read. */
  readonly request: PageRequest
}

export function parsePartitionsRequest(parameters: QueryParameters, body: unknown): ParsedPartitions {
  const fields = declaredFields(parameters, body, partitionsRequestSchema)
  const { partitionCount: _left, ...search } = fields
  // The fields of a search have errors with names of their own, so they are read before the shape as a whole is checked.
  const request = parseOptionalQuery(search)
  const { partitionCount } = checkPartitions({ ...fields, snapshotToken: undefined })
  return { partitionCount, request: { ...request, snapshot: true } }
}
