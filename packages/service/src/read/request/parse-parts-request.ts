// Into how many parts a collection is split, and the search with which each of them is read.
import { partsRequestSchema } from '@octavo/protocol'
import { isJsonObject } from '../../base/value/json-object.ts'
import { ServiceError } from '../../base/errors/service-error.ts'
import { shapeChecker } from './check-shape.ts'
import type { PageRequest } from './page-request.ts'
import { parseSearchRequest } from './parse-search-request.ts'
import { refuseUnknown, refuseUnknownFields, type QueryParameters } from './query-parameters.ts'

const partsFields = Object.keys(partsRequestSchema.properties)
const checkShape = shapeChecker(partsRequestSchema)

export interface WantedParts {
  readonly parts: number
  readonly request: PageRequest
}

export function parsePartsRequest(parameters: QueryParameters, body: unknown): WantedParts {
  refuseUnknown(Object.keys(parameters), [], { inBody: partsFields })
  if (body === undefined) throw new ServiceError('MissingPostBody', {})
  if (isJsonObject(body)) refuseUnknownFields(Object.keys(body), partsFields)
  const { parts: _left, ...search } = isJsonObject(body) ? body : {}
  // These have error names of their own.
  const request = parseSearchRequest({ ...search, query: search['query'] ?? { type: 'empty' } })
  const { parts } = checkShape(isJsonObject(body) ? { ...body, snapshotToken: undefined } : body)
  return { parts, request: { ...request, snapshot: true } }
}
