// Which object's versions are listed: the key in the path of revision 1.0, or in the body of revision 2.0.
import { pageSizes, versionsParametersSchema, versionsRequestSchema } from '@octavo/protocol'
import { ServiceError } from '../../base/errors/service-error.ts'
import { shapeChecker } from './check-shape.ts'
import { pageSizeFromText, parsePageSize } from './parse-page-size.ts'
import { parsePageToken } from './parse-page-token.ts'
import { fieldsOf } from './parse-search-request.ts'
import {
  listOfValues,
  oneValue,
  refuseSnapshot,
  refuseUnknown,
  refuseUnknownFields,
  type QueryParameters,
} from './query-parameters.ts'

export interface VersionsRequest {
  /** The shape of revision 1.0 or of revision 2.0. */
  readonly record: 'listed' | 'found'
  readonly primaryKey: string
  readonly pageSize: number
  readonly pageToken: string | undefined
  readonly select: readonly string[] | undefined
}

const parameterNames = Object.keys(versionsParametersSchema.properties)
const fieldNames = Object.keys(versionsRequestSchema.properties)
const checkShape = shapeChecker(versionsRequestSchema)

export function parseListedVersions(primaryKey: string, parameters: QueryParameters): VersionsRequest {
  refuseUnknown(Object.keys(parameters), parameterNames)
  refuseSnapshot(parameters)
  return {
    record: 'listed',
    primaryKey,
    pageSize: parsePageSize(pageSizeFromText(oneValue(parameters, 'pageSize')), pageSizes.search),
    pageToken: parsePageToken(oneValue(parameters, 'pageToken')),
    select: listOfValues(parameters, 'properties'),
  }
}

export function parseFoundVersions(parameters: QueryParameters, given: unknown): VersionsRequest {
  refuseUnknown(Object.keys(parameters), [], { inBody: fieldNames })
  const body = fieldsOf(given)
  refuseUnknownFields(Object.keys(body), fieldNames)
  // These have errors with names of their own.
  const pageSize = parsePageSize(body['pageSize'] ?? undefined, pageSizes.search)
  const pageToken = parsePageToken(body['pageToken'] ?? undefined)
  if (body['primaryKey'] === undefined) throw new ServiceError('Conjure:UnprocessableEntity', noKey)
  const { primaryKey, select } = checkShape({ ...body, pageSize })
  return { record: 'found', primaryKey, pageSize, pageToken, select: select ?? undefined }
}

const noKey = {
  path: '/primaryKey',
  problem: 'it must be the primary key of the object, as text: a search returns it as primaryKey',
}
