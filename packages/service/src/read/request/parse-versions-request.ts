// Which versions of an object are listed.
import { pageSizes, versionsParametersSchema } from '@octavo/protocol'
import { pageSizeFromText, parsePageSize, parsePageToken } from './parse-paging.ts'
import { listOfValues, oneValue, refuseUnknown, type QueryParameters } from './query-parameters.ts'

export interface VersionsRequest {
  readonly pageSize: number
  readonly pageToken: string | undefined
  readonly select: readonly string[] | undefined
}

const names = Object.keys(versionsParametersSchema.properties)

export function parseVersionsRequest(parameters: QueryParameters): VersionsRequest {
  refuseUnknown(Object.keys(parameters), names)
  return {
    pageSize: parsePageSize(pageSizeFromText(oneValue(parameters, 'pageSize')), pageSizes.search),
    pageToken: parsePageToken(oneValue(parameters, 'pageToken')),
    select: listOfValues(parameters, 'select'),
  }
}
