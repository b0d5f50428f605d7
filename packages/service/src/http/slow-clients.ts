// How long a client may take for its part. Whoever takes longer is cut off without an answer: it would be taken for the
// answer to the next request.
import { mediaTypes } from '@octavo/protocol'
import type { FastifyReply, FastifyRequest } from 'fastify'

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

/** Cuts off a client that neither ends its body nor brings it along at a pace, or that takes too long for the whole. */
export function bodyWatch({ bodySeconds, requestSeconds }: ClientTimes): WatchBody {
  return (request, reply) => {
    const { raw } = request
    if (raw.headers['content-length'] === undefined && raw.headers['transfer-encoding'] === undefined) return
    let bytes = raw.socket.bytesRead
    const checkPace = (): void => {
      const before = bytes
      bytes = raw.socket.bytesRead
      // What has arrived and was not taken yet is for us to take: then it is not the client who is slow.
      const isSlow = !raw.complete && raw.readableLength === 0 && bytes - before < leastBodyBytes
      if (isSlow) raw.socket.destroy()
    }
    const checkEnd = (): void => {
      if (!raw.complete) raw.socket.destroy()
    }
    // A batch takes as long as it is large: for it the pace is all that counts.
    const isBatch = request.routeOptions.config.described?.bodyType === mediaTypes.ndjson
    const timers = [
      setInterval(checkPace, bodySeconds * 1_000),
      ...(isBatch ? [] : [setTimeout(checkEnd, requestSeconds * 1_000)]),
    ]
    for (const timer of timers) timer.unref()
    reply.raw.on('close', () => {
      for (const timer of timers) clearTimeout(timer)
    })
  }
}
