import { changesRequestSchema } from '@octavo/protocol'
import { ServiceError } from '../../base/errors/service-error.ts'
import { shapeChecker } from './check-shape.ts'
import type { PageRequest } from './page-request.ts'
import { fieldsOf, parseSearchRequest } from './parse-search-request.ts'
import { parseSnapshotToken } from './parse-paging.ts'
import { refuseUnknown, refuseUnknownFields, type QueryParameters } from './query-parameters.ts'

const changesFields = Object.keys(changesRequestSchema.properties)
const checkShape = shapeChecker(changesRequestSchema)

export interface AskedChanges {
  /** The state that the caller has is the one that it names. */
  readonly request: PageRequest & { readonly snapshotToken: string }
  /** Names the later state; the latest one when undefined. */
  readonly to: string | undefined
  readonly waitSeconds: number
}

export function parseChangesRequest(parameters: QueryParameters, given: unknown): AskedChanges {
  refuseUnknown(Object.keys(parameters), [], { inBody: changesFields })
  const body = fieldsOf(given)
  refuseUnknownFields(Object.keys(body), changesFields)
  const { fromSnapshotToken, toSnapshotToken, waitSeconds: waiting, ...search } = body
  const snapshotToken = parseSnapshotToken(fromSnapshotToken ?? undefined)
  const to = parseSnapshotToken(toSnapshotToken ?? undefined)
  if (snapshotToken === undefined) throw new ServiceError('Conjure:UnprocessableEntity', noState)
  // The fields of a search have errors with names of their own.
  const request = parseSearchRequest({ ...search, query: search['query'] ?? { type: 'empty' } })
  const { waitSeconds } = checkShape({ fromSnapshotToken, waitSeconds: waiting ?? null })
  return {
    request: { ...request, endpoint: 'readChanges', snapshot: true, snapshotToken },
    to,
    waitSeconds: to === undefined ? (waitSeconds ?? 0) : 0,
  }
}

const noState = {
  path: '/fromSnapshotToken',
  problem:
    'it must be the snapshotToken of the state that you have: of the last page of a walk, or of the last page of changes',
}
