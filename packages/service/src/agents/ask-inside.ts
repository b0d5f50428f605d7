import type { AskOctavo, OctavoAnswer } from '@octavo/agents'
import { headers, mediaTypes } from '@octavo/protocol'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { ServiceError } from '../base/errors/service-error.ts'

/** What an inner request has of the one that it is asked for: who asks, from where, and under which id and trace. */
const passedOn = [headers.authorization, 'x-forwarded-for', 'traceparent', 'tracestate'] as const

/**
 * Sends the requests of a tool through all of the service, as if the caller had sent each itself: nothing that guards an endpoint
 * can be forgotten for the tools (P375).
 */
export const askInside =
  (app: FastifyInstance, request: FastifyRequest): AskOctavo =>
  async ({ path, body }, signal): Promise<OctavoAnswer> => {
    const sent = passedOn.flatMap((name) => {
      const value = request.headers[name]
      return value === undefined ? [] : [[name, value] as const]
    })
    const { remoteAddress } = request.raw.socket
    try {
      const answer = await app.inject({
        method: body === undefined ? 'GET' : 'POST',
        url: path,
        headers: {
          ...Object.fromEntries(sent),
          [headers.requestId]: request.id,
          ...(body !== undefined && { [headers.contentType]: mediaTypes.json }),
        },
        ...(body !== undefined && { payload: body }),
        ...(remoteAddress !== undefined && { remoteAddress }),
        signal,
      })
      return { status: answer.statusCode, body: answer.json() }
    } catch (error) {
      if (!isClosing(error)) throw error
      // The framework lets no inner request begin while the server closes. Another instance answers the next call.
      return app.failureOf(
        new ServiceError('Overloaded', { retryAfterSeconds: 1 }, { cause: error }),
        request.id,
      )
    }
  }

const isClosing = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'FST_ERR_REOPENED_CLOSE_SERVER'
