// What requests that change something may say besides their body: a dry run, a precondition, an idempotency key.
import { headers, limits } from '@octavo/protocol'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { ServiceError } from '../../../base/errors/service-error.ts'
import type { Precondition } from '../../../base/precondition.ts'
import { booleanValue, type QueryParameters } from '../../../read/request/query-parameters.ts'

export const dryRunParameters = Type.Object({
  dryRun: Type.Optional(
    Type.Boolean({ description: 'Check everything and report what would change, but change nothing.' }),
  ),
})

export const isDryRun = (query: QueryParameters): boolean => booleanValue(query, 'dryRun') ?? false

export function preconditionOf({ headers: sent }: FastifyRequest): Precondition {
  const ifNoneMatch = sent[headers.ifNoneMatch]?.trim()
  if (ifNoneMatch !== undefined && ifNoneMatch !== '*') {
    throw new ServiceError('InvalidParameterValue', {
      parameterId: 'If-None-Match',
      parameterValue: ifNoneMatch,
      expected: 'the value * on a request that changes something, or leave it out',
    })
  }
  return { ifMatch: sent[headers.ifMatch], ifNoneMatch }
}

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

/** The answer to a request that has created something at this path. */
export const created = (reply: FastifyReply, path: string, body: object): FastifyReply =>
  reply.code(201).header(headers.location, path).send(body)

interface Applied {
  readonly reply: FastifyReply
  readonly path: string
  readonly dryRun: boolean
}

/** The answer to a definition that was applied, or would be. */
export function answerApplied(
  applied: { readonly outcome: string },
  { reply, path, dryRun }: Applied,
): object {
  if (dryRun) return { dryRun, ...applied }
  return applied.outcome === 'created' ? created(reply, path, applied) : applied
}
