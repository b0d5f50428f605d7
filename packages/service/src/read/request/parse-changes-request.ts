import { changesRequestSchema } from '@octavo/protocol'
import { ServiceError } from '../../base/errors/service-error.ts'
import { shapeChecker } from './check-shape.ts'
import type { PageRequest } from './page-request.ts'
import { declaredFields, parseOptionalQuery } from './parse-search-request.ts'
import { parseSnapshotToken } from './parse-paging.ts'
import type { QueryParameters } from './query-parameters.ts'

const checkShape = shapeChecker(changesRequestSchema)

export interface ParsedChanges {
  /** The state that the caller has is the one that it names. */
  readonly request: PageRequest & { readonly snapshotToken: string }
  /** Names the later state; the latest one when undefined. */
  readonly to: string | undefined
  readonly waitSeconds: number
}

export function parseChangesRequest(parameters: QueryParameters, body: unknown): ParsedChanges {
  const fields = declaredFields(parameters, body, changesRequestSchema)
  const { fromSnapshotToken, toSnapshotToken, waitSeconds: waiting, ...search } = fields
  const snapshotToken = parseSnapshotToken(fromSnapshotToken ?? undefined)
  const to = parseSnapshotToken(toSnapshotToken ?? undefined)
  if (snapshotToken === undefined) throw new ServiceError('Conjure:UnprocessableEntity', noState)
  // The fields of a search have errors with names of their own.
  const request = parseOptionalQuery(search)
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
