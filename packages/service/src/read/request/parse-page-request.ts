import type { PageRequest } from './page-request.ts'
import { parseListRequest } from './parse-list-request.ts'
import { parseSearchRequest, searchFields } from './parse-search-request.ts'
import { refuseUnknown, type QueryParameters } from './query-parameters.ts'

/** The input of a page request, before it is validated. */
export type PageInput =
  | { readonly endpoint: 'listObjects'; readonly parameters: QueryParameters }
  | { readonly endpoint: 'searchObjects'; readonly parameters: QueryParameters; readonly body: unknown }

/** Both revisions ask the same things in different syntaxes: from here on there is one kind of request. */
export function parsePageRequest(input: PageInput): PageRequest {
  if (input.endpoint === 'listObjects') return parseListRequest(input.parameters)
  refuseUnknown(Object.keys(input.parameters), [], { inBody: searchFields })
  return parseSearchRequest(input.body)
}
