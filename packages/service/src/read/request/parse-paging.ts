// What requests for pages have in common: the size of a page, the token of the next one, and the state to read.
import { limits, type PageSizes } from '@octavo/protocol'
import { ServiceError } from '../../base/errors/service-error.ts'
import type { PageRequest } from './page-request.ts'
import { oneValue, type QueryParameters } from './query-parameters.ts'

/** The size and the token of a page, from a query string. */
export function parsePaging(
  parameters: QueryParameters,
  sizes: PageSizes,
): Pick<PageRequest, 'pageSize' | 'pageToken'> {
  const size = oneValue(parameters, 'pageSize')
  return {
    // A text that is not a number is refused as it is.
    pageSize: parsePageSize(size !== undefined && /^[0-9]+$/.test(size) ? Number(size) : size, sizes),
    pageToken: parsePageToken(oneValue(parameters, 'pageToken')),
  }
}

/** A size above the maximum is reduced (P20); zero, a negative number or a non-integer is refused (P21). */
export function parsePageSize(size: unknown, sizes: PageSizes): number {
  if (size === undefined) return sizes.default
  if (
    typeof size !== 'number' ||
    size < 1 ||
    !(Number.isInteger(size) || size === Number.POSITIVE_INFINITY)
  ) {
    // The value is never written out whole: deeply nested lists would exhaust the stack.
    const text = typeof size === 'string' || typeof size === 'number' ? `${size}` : 'not a number'
    throw new ServiceError('InvalidPageSize', { pageSize: text.slice(0, 100) })
  }
  return Math.min(size, sizes.maximum)
}

/** Checks only whether the value could be a token; opening it checks the rest. An empty string is not a token (P10). */
export function parsePageToken(value: unknown): string | undefined {
  if (value === undefined || couldBeToken(value, limits.pageToken.characters)) return value
  throw new ServiceError('InvalidPageToken', { reason: 'malformed' })
}

export function parseSnapshotToken(value: unknown): string | undefined {
  if (value === undefined || couldBeToken(value, limits.snapshotToken.characters)) return value
  throw new ServiceError('InvalidSnapshotToken', { reason: 'malformed' })
}

const couldBeToken = (value: unknown, mostCharacters: number): value is string =>
  typeof value === 'string' && value.length <= mostCharacters && /^[A-Za-z0-9_-]+$/.test(value)

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
