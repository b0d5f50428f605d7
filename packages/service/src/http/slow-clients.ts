// Time limits for clients. A client that takes longer is disconnected without an answer, which it would take for the answer to
// its next request.
import { mediaTypes } from '@octavo/protocol'
import type { FastifyReply, FastifyRequest } from 'fastify'

export interface ClientTimes {
  /** From the first byte of a connection, or of the next request on it, to the end of the headers. */
  readonly headersSeconds: number
  /** For the whole body of a request that is not a batch. */
  readonly requestSeconds: number
  /** The period in which an unfinished body must bring at least leastBodyBytes. */
  readonly bodySeconds: number
  /** How long a client may go without receiving any bytes of an answer. */
  readonly answerSeconds: number
  /** How long an open connection may stay idle. Longer than load balancers wait, so that they close first. */
  readonly idleSeconds: number
  /** How often the time limits of headers and requests are checked. */
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

/** Disconnects a client that sends its body too slowly, or takes too long for the whole body. */
export function bodyWatch({ bodySeconds, requestSeconds }: ClientTimes): WatchBody {
  return (request, reply) => {
    const { raw } = request
    if (raw.headers['content-length'] === undefined && raw.headers['transfer-encoding'] === undefined) return
    let bytes = raw.socket.bytesRead
    const checkPace = (): void => {
      const before = bytes
      bytes = raw.socket.bytesRead
      // If bytes have arrived that the service has not read yet, the service is slow, not the client.
      const isSlow = !raw.complete && raw.readableLength === 0 && bytes - before < leastBodyBytes
      if (isSlow) raw.socket.destroy()
    }
    const checkEnd = (): void => {
      if (!raw.complete) raw.socket.destroy()
    }
    // A batch may take as long as its size requires: only its pace is checked.
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
