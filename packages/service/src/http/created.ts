import { headers } from '@octavo/protocol'
import type { FastifyReply } from 'fastify'

/** The answer to a request that has made something with an address of its own. */
export const created = (reply: FastifyReply, path: string, body: object): FastifyReply =>
  reply.code(201).header(headers.location, path).send(body)
