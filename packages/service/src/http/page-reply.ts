import { headers, mediaTypes } from '@octavo/protocol'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { stageTimer } from '../observe/stage-timer.ts'
import type { PageTarget } from '../catalog/find-object-type.ts'
import type { PageRequest } from '../request/page-request.ts'
import { servePage, type PageService } from '../serve-page.ts'
import { goneSignal } from './gone-signal.ts'

/** Both revisions: the same steps, with what differs given as arguments. */
export async function replyWithPage(
  service: PageService,
  { request, reply }: { readonly request: FastifyRequest; readonly reply: FastifyReply },
  { target, parse }: { readonly target: PageTarget; readonly parse: () => PageRequest },
): Promise<FastifyReply> {
  const timer = stageTimer()
  const body = await servePage(service, {
    authorization: request.headers.authorization,
    target,
    parse,
    signal: goneSignal(reply),
    timer,
  })
  return reply
    .header(headers.contentType, `${mediaTypes.json}; charset=utf-8`)
    .header(headers.serverTiming, timer.header())
    .send(body)
}
