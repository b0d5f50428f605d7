// The one place that turns a failure into a reply.

import { errorTable, headers, type ErrorBody } from '@octavo/protocol'
import type { FastifyReply } from 'fastify'
import type { Observe } from '../observe/observation.ts'
import { translateError } from './translate-error.ts'

export const replyWithError = (reply: FastifyReply, error: unknown, observe: Observe): FastifyReply => {
  const { errorName, parameters, message, cause } = translateError(error)
  const { code, status } = errorTable[errorName]
  const errorInstanceId = crypto.randomUUID()

  observe(
    status < 500
      ? { kind: 'request-refused', errorName, errorInstanceId }
      : { kind: 'request-failed', errorName, errorInstanceId, error: cause ?? error },
  )
  if (status === 401) reply.header(headers.wwwAuthenticate, 'Bearer')
  if ('retryAfterSeconds' in parameters) reply.header(headers.retryAfter, parameters.retryAfterSeconds)
  const body: ErrorBody = {
    errorCode: code,
    errorName,
    errorInstanceId,
    parameters,
    errorDescription: message,
  }
  return reply.code(status).send(body)
}
