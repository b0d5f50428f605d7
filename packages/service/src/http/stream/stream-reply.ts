import { headers, mediaTypes } from '@octavo/protocol'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { PageTarget } from '../../catalog/find-object-type.ts'
import type { PageRequest } from '../../read/request/page-request.ts'
import type { PageService } from '../../read/walk/page-service.ts'
import { serveStream } from '../../read/serve/serve-stream.ts'
import { eachInTime } from '../abort-signal.ts'
import { callerOfEachStep } from '../require-right.ts'
import { StreamBody } from './stream-body.ts'

export interface StreamParts {
  readonly target: PageTarget
  readonly parse: () => PageRequest
  readonly stopping: AbortSignal
}

/** Answers with a whole walk, a record a line. What goes wrong before the first line is an error like any other (P262). */
export async function replyWithStream(
  service: PageService,
  { request, reply }: { readonly request: FastifyRequest; readonly reply: FastifyReply },
  { target, parse, stopping }: StreamParts,
): Promise<FastifyReply> {
  const pages = serveStream(service, {
    requestId: request.id,
    target,
    parse,
    stopping,
    caller: callerOfEachStep(request),
    inTime: eachInTime(reply, service.requestTimeoutMs),
  })
  const first = await pages.next()
  const body = new StreamBody({
    first,
    pages,
    response: reply.raw,
    errorLine: (error) => {
      const { body: failure } = request.server.failureOf(error, request.id)
      return Buffer.from(`${JSON.stringify({ type: 'error', ...failure })}\n`)
    },
  })
  return reply.header(headers.contentType, mediaTypes.ndjson).send(body)
}
