import { limits } from '@octavo/protocol'
import { ServiceError } from '../../base/errors/service-error.ts'

const characters = /^[A-Za-z0-9_-]+$/

export const couldBeToken = (value: unknown, mostCharacters: number): value is string =>
  typeof value === 'string' && value.length <= mostCharacters && characters.test(value)

/** Checks only whether the value could be a token; opening it checks the rest. An empty string is not a token (P10). */
export function parsePageToken(value: unknown): string | undefined {
  if (value === undefined) return undefined
  if (couldBeToken(value, limits.pageToken.characters)) return value
  throw new ServiceError('InvalidPageToken', { reason: 'malformed' })
}
