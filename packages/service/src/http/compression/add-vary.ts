import { headers } from '@octavo/protocol'
import type { FastifyReply } from 'fastify'

/** Says to caches that the answer also depends on this header of the request. */
export function addVary(reply: FastifyReply, name: string): void {
  const others = reply.getHeader(headers.vary)
  reply.header(headers.vary, others === undefined ? name : `${String(others)}, ${name}`)
}
