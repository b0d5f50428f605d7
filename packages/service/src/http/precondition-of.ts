import { headers } from '@octavo/protocol'
import type { FastifyRequest } from 'fastify'
import type { Precondition } from '../base/precondition.ts'
import { ServiceError } from '../base/errors/service-error.ts'

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
