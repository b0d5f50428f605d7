import { limits } from '@octavo/protocol'
import { ServiceError } from '../../base/errors/service-error.ts'
import type { PageRequest } from './page-request.ts'

const characters = /^[A-Za-z0-9_-]+$/

/** Checks only whether the value could be a token; opening it checks the rest. */
export function parseSnapshotToken(value: unknown): string | undefined {
  if (value === undefined) return undefined
  const isOne =
    typeof value === 'string' && value.length <= limits.snapshotToken.characters && characters.test(value)
  if (!isOne) throw new ServiceError('InvalidSnapshotToken', { reason: 'malformed' })
  return value
}

/** A snapshot token selects snapshot mode by itself (P240). */
export function snapshotMode(
  snapshot: boolean | undefined,
  token: unknown,
): Pick<PageRequest, 'snapshot' | 'snapshotToken'> {
  const snapshotToken = parseSnapshotToken(token)
  if (snapshotToken !== undefined && snapshot === false) {
    throw new ServiceError('InvalidParameterValue', {
      parameterId: 'snapshot',
      parameterValue: 'false',
      expected: 'the value true, or leave it out: the request has a snapshotToken',
    })
  }
  return { snapshot: snapshot ?? snapshotToken !== undefined, snapshotToken }
}
