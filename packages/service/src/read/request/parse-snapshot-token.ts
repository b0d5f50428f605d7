import { limits } from '@octavo/protocol'
import { ServiceError } from '../../base/errors/service-error.ts'
import type { PageRequest } from './page-request.ts'
import { couldBeToken } from './parse-page-token.ts'

/** Checks only whether the value could be a token; opening it checks the rest. */
export function parseSnapshotToken(value: unknown): string | undefined {
  if (value === undefined) return undefined
  if (couldBeToken(value, limits.snapshotToken.characters)) return value
  throw new ServiceError('InvalidSnapshotToken', { reason: 'malformed' })
}

/** A snapshot token selects snapshot mode by itself (P240); in a body, that is a question of its shape. */
export function snapshotMode(
  snapshot: boolean | undefined,
  token: unknown,
  from: 'query' | 'body',
): Pick<PageRequest, 'snapshot' | 'snapshotToken'> {
  const snapshotToken = parseSnapshotToken(token)
  if (snapshotToken !== undefined && snapshot === false) {
    if (from === 'body') {
      throw new ServiceError('Conjure:UnprocessableEntity', {
        path: '/snapshot',
        problem: 'it must be true, or be left out: the request has a snapshotToken',
      })
    }
    throw new ServiceError('InvalidParameterValue', {
      parameterId: 'snapshot',
      parameterValue: 'false',
      expected: 'the value true, or leave it out: the request has a snapshotToken',
    })
  }
  return { snapshot: snapshot ?? snapshotToken !== undefined, snapshotToken }
}
