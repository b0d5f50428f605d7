// What is counted.
import { countRequestSchema } from '@octavo/protocol'
import { isJsonObject } from '../../base/value/json-object.ts'
import type { PageRequest } from './page-request.ts'
import { parseOptionalQuery } from './parse-search-request.ts'
import { refuseUnknown, refuseUnknownFields, type QueryParameters } from './query-parameters.ts'

const countFields = Object.keys(countRequestSchema.properties)

export function parseCountRequest(parameters: QueryParameters, body: unknown): PageRequest {
  refuseUnknown(Object.keys(parameters), [], { inBody: countFields })
  if (isJsonObject(body)) refuseUnknownFields(Object.keys(body), countFields)
  return parseOptionalQuery(body)
}
