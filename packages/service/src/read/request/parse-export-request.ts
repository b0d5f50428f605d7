// The body of an export.
import { exportRequestSchema, pageSizes } from '@octavo/protocol'
import type { PageRequest } from './page-request.ts'
import { fieldsOf, parseOptionalQuery } from './parse-search-request.ts'
import { refuseUnknown, refuseUnknownFields, type QueryParameters } from './query-parameters.ts'

const exportFields = Object.keys(exportRequestSchema.properties)

/**
 * An export asks for what the pages of a snapshot walk ask for, so each accepts the page tokens of the other (P263). Its
 * pages are as large as may be unless the request says otherwise: nobody waits for a whole one.
 */
export function parseExportRequest(parameters: QueryParameters, given: unknown): PageRequest {
  refuseUnknown(Object.keys(parameters), [], { inBody: exportFields })
  const body = fieldsOf(given)
  refuseUnknownFields(Object.keys(body), exportFields)
  const pageSize = body['pageSize'] ?? pageSizes.search.maximum
  return { ...parseOptionalQuery({ ...body, pageSize, snapshot: true }), isExport: true }
}
