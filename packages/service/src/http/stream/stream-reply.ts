import { headers, mediaTypes } from '@octavo/protocol'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { PageService } from '../../read/walk/page-service.ts'
import { serveStream, type StreamArrival } from '../../read/serve/serve-stream.ts'
import { StreamBody } from './stream-body.ts'

/** Answers with a whole walk, a record a line. What goes wrong before the first line is an error like any other (P262). */
export async function replyWithStream(
  service: PageService,
  { request, reply }: { readonly request: FastifyRequest; readonly reply: FastifyReply },
  arrival: StreamArrival,
): Promise<FastifyReply> {
  const pages = serveStream(service, arrival)
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
