import { pageSizes } from '@octavo/protocol'
import { ServiceError } from '../../base/errors/service-error.ts'
import { isJsonObject } from '../../base/value/json-object.ts'
import type { PageRequest } from './page-request.ts'
import { parsePageRequest, type PageInput } from './parse-page-request.ts'

type SearchInput = Extract<PageInput, { readonly endpoint: 'searchObjects' }>

/**
 * A stream asks for what the pages of a snapshot walk ask for, so each goes on with the page tokens of the other (P263). Its
 * pages are as large as may be unless the request says otherwise: nobody waits for a whole one.
 */
export function parseStreamRequest(input: SearchInput): PageRequest {
  const request = parsePageRequest(input)
  const { snapshot, pageSize } = isJsonObject(input.body) ? input.body : {}
  if (snapshot === false) {
    throw new ServiceError('InvalidParameterValue', {
      parameterId: 'snapshot',
      parameterValue: 'false',
      expected: 'the value true, or leave it out: a stream is always of one snapshot',
    })
  }
  return {
    ...request,
    snapshot: true,
    pageSize: pageSize == null ? pageSizes.search.maximum : request.pageSize,
  }
}
