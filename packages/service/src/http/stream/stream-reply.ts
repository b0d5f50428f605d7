import { headers, mediaTypes } from '@octavo/protocol'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { ServiceError } from '../../base/errors/service-error.ts'
import type { PageTarget } from '../../catalog/find-object-type.ts'
import type { PageRequest } from '../../read/request/page-request.ts'
import type { PageService } from '../../read/serve-page.ts'
import { serveStream } from '../../read/serve-stream.ts'
import { callerOf } from '../require-right.ts'
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
  let isFirst = true
  const pages = serveStream(service, {
    requestId: request.id,
    target,
    parse,
    stopping,
    caller: async () => {
      if (!isFirst) await request.server.authorize(request)
      isFirst = false
      return callerOf(request)
    },
    inTime: pageTimes(reply, service.requestTimeoutMs),
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

/**
 * Limits the time of each page (P167), and ends the work for it when the client leaves. It listens to the response once, not
 * once for every page.
 */
function pageTimes(
  { raw }: FastifyReply,
  timeoutMs: number,
): <T>(work: (signal: AbortSignal) => Promise<T>) => Promise<T> {
  let underWay: AbortController | undefined
  raw.on('close', () => underWay?.abort())
  return async (work) => {
    const controller = new AbortController()
    // If the client is gone already, no event comes.
    if (raw.destroyed) controller.abort()
    const timer = setTimeout(() => controller.abort(new ServiceError('ScanTimedOut', {})), timeoutMs).unref()
    underWay = controller
    try {
      return await work(controller.signal)
    } finally {
      clearTimeout(timer)
      underWay = undefined
    }
  }
}
