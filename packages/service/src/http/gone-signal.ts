import type { FastifyReply } from 'fastify'
import { ServiceError } from '../errors/service-error.ts'
import { deadlines, type Deadlines } from '../memory/deadlines.ts'
import { Gone, type GoneSignal } from '../memory/gone-signal.ts'

/** The time for a request (P167). */
export const requestDeadlines = (mostSeconds: number): Deadlines<Gone> =>
  deadlines(mostSeconds * 1_000, (gone) => gone.abort(new ServiceError('ScanTimedOut', {})))

/**
 * Aborted when the client goes away before its answer is sent, so that nobody works for nobody, and when the time for
 * the request is up.
 */
export function goneSignal(reply: FastifyReply, times?: Deadlines<Gone>): GoneSignal {
  const gone = new Gone()
  if (reply.raw.destroyed) {
    // It went away before we came here, and is not going to say so again.
    gone.abort()
    return gone
  }
  times?.add(gone)
  // Of the response, not of the socket: a connection that is kept alive would gather a listener for every request.
  reply.raw.on('close', () => {
    times?.delete(gone)
    if (!reply.raw.writableFinished) gone.abort()
  })
  return gone
}
