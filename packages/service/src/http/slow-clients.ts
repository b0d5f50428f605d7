// How long a client may take for its part. Whoever takes longer is cut off without an answer: it would be taken for the
// answer to the next request.
import { mediaTypes } from '@octavo/protocol'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { deadlines } from '../memory/deadlines.ts'

export interface ClientTimes {
  /** From the first byte of a connection or of the next request on it to the end of its headers. */
  readonly headersSeconds: number
  /** For the whole body of a request that is not a batch. */
  readonly requestSeconds: number
  /** In which a body that goes on must bring at least leastBodyBytes. */
  readonly bodySeconds: number
  /** Without taking anything of an answer. */
  readonly answerSeconds: number
  /** Without another request on an open connection. Longer than load balancers wait, so that they close first. */
  readonly idleSeconds: number
  /** How often the times of headers and requests are looked at. */
  readonly checkSeconds: number
}

export const clientTimes: ClientTimes = {
  headersSeconds: 10,
  requestSeconds: 300,
  bodySeconds: 30,
  answerSeconds: 30,
  idleSeconds: 72,
  checkSeconds: 2,
}

const leastBodyBytes = 16 * 1_024

export type WatchBody = (request: FastifyRequest, reply: FastifyReply) => void

interface SentBody {
  readonly raw: FastifyRequest['raw']
  /** Of its connection, when it was last looked at. */
  seen: number
}

/** Cuts off a client that neither ends its body nor brings it along at a pace, or that takes too long for the whole. */
export function bodyWatch({ bodySeconds, requestSeconds }: ClientTimes): WatchBody {
  const pace = deadlines<SentBody>(bodySeconds * 1_000, (body) => {
    const { raw, seen } = body
    body.seen = raw.socket.bytesRead
    // What has arrived and was not taken yet is for us to take: then it is not the client who is slow.
    if (raw.complete || raw.readableLength > 0 || body.seen - seen >= leastBodyBytes) pace.add(body)
    else raw.socket.destroy()
  })
  const whole = deadlines<SentBody>(requestSeconds * 1_000, ({ raw }) => {
    if (!raw.complete) raw.socket.destroy()
  })
  return (request, reply) => {
    const { raw } = request
    if (raw.headers['content-length'] === undefined && raw.headers['transfer-encoding'] === undefined) return
    const body = { raw, seen: raw.socket.bytesRead }
    pace.add(body)
    // A batch takes as long as it is large: for it the pace is all that counts.
    const isBatch = request.routeOptions.config.described?.bodyType === mediaTypes.ndjson
    if (!isBatch) whole.add(body)
    reply.raw.on('close', () => {
      pace.delete(body)
      whole.delete(body)
    })
  }
}
