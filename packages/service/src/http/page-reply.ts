import { Readable } from 'node:stream'
import { headers, mediaTypes } from '@octavo/protocol'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { stageTimer } from '../observe/stage-timer.ts'
import type { PageTarget } from '../catalog/find-object-type.ts'
import { bodyDigest, wantsBodyDigest } from '../digest/body-digest.ts'
import type { PageRequest } from '../request/page-request.ts'
import { servePage, type PageService } from '../serve-page.ts'
import { goneSignal } from './gone-signal.ts'
import { callerOf } from './require-right.ts'

/** Both revisions: the same steps, with what differs given as arguments. */
export async function replyWithPage(
  service: PageService,
  { request, reply }: { readonly request: FastifyRequest; readonly reply: FastifyReply },
  { target, parse }: { readonly target: PageTarget; readonly parse: () => PageRequest },
): Promise<FastifyReply> {
  const timer = stageTimer()
  const signal = goneSignal(reply)
  const parts = await servePage(service, {
    requestId: request.id,
    caller: callerOf(request),
    target,
    parse,
    signal,
    timer,
    hold: ({ release }) => {
      if (signal.aborted) release()
      else reply.raw.once('close', release)
    },
  })
  if (wantsBodyDigest(request.headers[headers.wantContentDigest])) {
    void reply.header(headers.contentDigest, bodyDigest(parts))
  }
  return reply
    .header(headers.contentType, `${mediaTypes.json}; charset=utf-8`)
    .header(headers.serverTiming, timer.header())
    .header('content-length', lengthOf(parts))
    .send(lengthOf(parts) <= joinedBytes ? Buffer.concat(parts) : Readable.from(parts))
}

/** Up to here a copy costs less than a stream. */
const joinedBytes = 256 * 1_024

const lengthOf = (parts: readonly Buffer[]): number => parts.reduce((sum, part) => sum + part.length, 0)
