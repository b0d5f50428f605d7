import { headers, mediaTypes } from '@octavo/protocol'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { stageTimer } from '../observe/stage-timer.ts'
import type { PageTarget } from '../catalog/find-object-type.ts'
import type { PageRequest } from '../read/request/page-request.ts'
import { servePage, type PageService } from '../read/serve-page.ts'
import { abortSignalOf, releaseOnClose } from './abort-signal.ts'
import { releaseOnceRead } from './compression/compress-answers.ts'
import { callerOf } from './require-right.ts'

/** Serves pages of both revisions: the steps are the same, and the arguments are what differs. */
export async function replyWithPage(
  service: PageService,
  { request, reply }: { readonly request: FastifyRequest; readonly reply: FastifyReply },
  { target, parse }: { readonly target: PageTarget; readonly parse: () => PageRequest },
): Promise<FastifyReply> {
  const timer = stageTimer()
  const signal = abortSignalOf(reply, service.requestTimeoutMs)
  const { body, sent } = await servePage(service, {
    requestId: request.id,
    caller: callerOf(request),
    target,
    parse,
    signal,
    timer,
    hold: ({ release }) => releaseOnClose(reply, signal, release),
  })
  // Not earlier: until then the body is being sent from this memory, or compressed. If the response is closed already, the event
  // never comes, and the memory is left to the garbage collector.
  releaseOnceRead(reply.raw, sent)
  return reply
    .header(headers.contentType, `${mediaTypes.json}; charset=utf-8`)
    .header(headers.serverTiming, timer.header())
    .send(body)
}
