// Which object's versions are listed.
import { pageSizes, versionsRequestSchema } from '@octavo/protocol'
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
  readonly primaryKey: string
  readonly pageSize: number
  readonly pageToken: string | undefined
  readonly select: readonly string[] | undefined
}

const fieldNames = Object.keys(versionsRequestSchema.properties)
const checkShape = shapeChecker(versionsRequestSchema)

export function parseVersionsRequest(parameters: QueryParameters, given: unknown): VersionsRequest {
  refuseUnknown(Object.keys(parameters), [], { inBody: fieldNames })
  const body = fieldsOf(given)
  refuseUnknownFields(Object.keys(body), fieldNames)
  // These have errors with names of their own.
  const pageSize = parsePageSize(body['pageSize'] ?? undefined, pageSizes.search)
  const pageToken = parsePageToken(body['pageToken'] ?? undefined)
  if (body['primaryKey'] === undefined) throw new ServiceError('Conjure:UnprocessableEntity', noKey)
  const { primaryKey, select } = checkShape({ ...body, pageSize })
  return { primaryKey, pageSize, pageToken, select: select ?? undefined }
}

const noKey = {
  path: '/primaryKey',
  problem: 'it must be the primary key of the object, as text: a search returns it as primaryKey',
}
