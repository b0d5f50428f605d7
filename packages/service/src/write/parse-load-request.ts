// The bodies with which a load is begun and finished.
import { finishRequestSchema, loadRequestSchema } from '@octavo/protocol'
import { ServiceError } from '../base/errors/service-error.ts'
import { isJsonObject } from '../base/value/json-object.ts'
import { shapeChecker } from '../read/request/check-shape.ts'
import { refuseUnknownFields } from '../read/request/query-parameters.ts'
import { deletionLimitOf, type DeletionLimit } from './commit/deletion-limit.ts'

export interface WantedLoad {
  readonly objectType: string
  readonly replaces: boolean
}

const checkLoad = shapeChecker(loadRequestSchema)

export function parseLoadRequest(body: unknown): WantedLoad {
  if (isJsonObject(body)) refuseUnknownFields(Object.keys(body), Object.keys(loadRequestSchema.properties))
  const { objectTypes, replace } = checkLoad(body)
  return { objectType: objectTypes[0] ?? '', replaces: replace ?? false }
}

/** A request without a body has the usual limit, as `{}` has. */
export function parseFinishRequest(body: unknown = {}): DeletionLimit {
  if (!isJsonObject(body)) throw unfit('', 'it must be an object')
  refuseUnknownFields(Object.keys(body), Object.keys(finishRequestSchema.properties))
  const { maxDeletions } = body
  if (maxDeletions === undefined || maxDeletions === null) return { kind: 'usual' }
  const limit = deletionLimitOf(maxDeletions)
  if (limit !== undefined) return limit
  throw unfit(
    '/maxDeletions',
    'it must be a whole number of objects, such as 100, or a percentage of them, such as "50%"',
  )
}

const unfit = (path: string, problem: string): ServiceError =>
  new ServiceError('Conjure:UnprocessableEntity', { path, problem })
