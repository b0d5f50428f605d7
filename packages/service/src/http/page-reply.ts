import { headers, mediaTypes } from '@octavo/protocol'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { stageTimer } from '../observe/stage-timer.ts'
import type { PageTarget } from '../catalog/find-object-type.ts'
import type { PageRequest } from '../read/request/page-request.ts'
import type { PageService } from '../read/walk/page-service.ts'
import { servePage, type ServedPage } from '../read/serve/serve-page.ts'
import type { PageArrival } from '../read/walk/page-arrival.ts'
import { abortSignalOf, releaseOnClose } from './abort-signal.ts'
import { releaseOnceRead } from './compression/compress-answers.ts'
import { callerOf } from './require-right.ts'

interface PageQuestion {
  readonly target: PageTarget
  readonly parse: () => PageRequest
}

/** What every page needs to know of its request, whatever it asks for. */
type Arrived = Omit<PageArrival, 'target' | 'parse'>

/** Serves pages of all revisions: the steps are the same, and the arguments are what differs. */
export const replyWithPage = (
  service: PageService,
  to: Answering,
  question: PageQuestion,
): Promise<FastifyReply> =>
  replyWith(service, to, (arrived) => servePage(service, { ...arrived, ...question }))

interface Answering {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
}

/** The same for a page that is found in another way. */
export async function replyWith(
  service: PageService,
  { request, reply }: Answering,
  serve: (arrived: Arrived) => Promise<ServedPage>,
): Promise<FastifyReply> {
  const timer = stageTimer()
  const signal = abortSignalOf(reply, service.requestTimeoutMs)
  const { body, sent } = await serve({
    requestId: request.id,
    caller: callerOf(request),
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
