// Into how many partitions a collection is divided, and the search with which each of them is read.
import { partitionsRequestSchema } from '@octavo/protocol'
import { shapeChecker } from './check-shape.ts'
import type { PageRequest } from './page-request.ts'
import { fieldsOf, parseOptionalQuery } from './parse-search-request.ts'
import { refuseUnknown, refuseUnknownFields, type QueryParameters } from './query-parameters.ts'

const partitionsFields = Object.keys(partitionsRequestSchema.properties)
const checkShape = shapeChecker(partitionsRequestSchema)

export interface WantedPartitions {
  readonly partitionCount: number
  readonly request: PageRequest
}

export function parsePartitionsRequest(parameters: QueryParameters, given: unknown): WantedPartitions {
  refuseUnknown(Object.keys(parameters), [], { inBody: partitionsFields })
  const body = fieldsOf(given)
  refuseUnknownFields(Object.keys(body), partitionsFields)
  const { partitionCount: _left, ...search } = body
  // The fields of a search have errors with names of their own, so they are read before the shape as a whole is checked.
  const request = parseOptionalQuery(search)
  const { partitionCount } = checkShape({ ...body, snapshotToken: undefined })
  return { partitionCount, request: { ...request, snapshot: true } }
}
