import { linkPairsRequestSchema } from '@octavo/protocol'
import type { PageRequest } from './page-request.ts'
import { fieldsOf, parseOptionalQuery } from './parse-search-request.ts'
import { refuseUnknown, refuseUnknownFields, type QueryParameters } from './query-parameters.ts'

const pairsFields = Object.keys(linkPairsRequestSchema.properties)

/** Pairs are asked for as a search is, without an order or a selection. */
export function parsePairsRequest(parameters: QueryParameters, body: unknown): PageRequest {
  refuseUnknown(Object.keys(parameters), [], { inBody: pairsFields })
  refuseUnknownFields(Object.keys(fieldsOf(body)), pairsFields)
  return parseOptionalQuery(body)
}
