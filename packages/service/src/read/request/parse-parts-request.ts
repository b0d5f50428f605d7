// Into how many parts a collection is split, and the search with which each of them is read.
import { partsRequestSchema } from '@octavo/protocol'
import { shapeChecker } from './check-shape.ts'
import type { PageRequest } from './page-request.ts'
import { fieldsOf, parseSearchRequest } from './parse-search-request.ts'
import { refuseUnknown, refuseUnknownFields, type QueryParameters } from './query-parameters.ts'

const partsFields = Object.keys(partsRequestSchema.properties)
const checkShape = shapeChecker(partsRequestSchema)

export interface WantedParts {
  readonly parts: number
  readonly request: PageRequest
}

export function parsePartsRequest(parameters: QueryParameters, given: unknown): WantedParts {
  refuseUnknown(Object.keys(parameters), [], { inBody: partsFields })
  const body = fieldsOf(given)
  refuseUnknownFields(Object.keys(body), partsFields)
  const { parts: _left, ...search } = body
  // The fields of a search have errors with names of their own, so they are read before the shape as a whole is checked.
  const request = parseSearchRequest({ ...search, query: search['query'] ?? { type: 'empty' } })
  const { parts } = checkShape({ ...body, snapshotToken: undefined })
  return { parts, request: { ...request, snapshot: true } }
}
