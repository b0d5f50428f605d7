import { headers, limits } from '@octavo/protocol'
import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { ServiceError } from '../../../base/errors/service-error.ts'

export const idempotencyHeader = {
  'Idempotency-Key': Type.Optional(
    Type.String({
      maxLength: limits.request.idempotencyKeyCharacters,
      description: 'The same key with the same contents is applied once, however often it is sent.',
    }),
  ),
} as const

export function idempotencyKey(request: FastifyRequest): string | undefined {
  const key = request.headers[headers.idempotencyKey]
  if (key === undefined) return undefined
  const text = [key].flat().join(', ')
  const longest = limits.request.idempotencyKeyCharacters
  if (text === '' || text.length > longest || !/^[\x20-\x7e]+$/.test(text)) {
    throw new ServiceError('InvalidParameterValue', {
      parameterId: 'Idempotency-Key',
      parameterValue: text.slice(0, longest),
      expected: `a value of 1 to ${longest} printable ASCII characters`,
    })
  }
  return text
}
