import type { FastifyReply } from 'fastify'
import { ServiceError } from '../errors/service-error.ts'

/**
 * Aborted when the client goes away before its answer is sent, so that nobody works for nobody, and when the time for
 * the request is up (P167).
 */
export function goneSignal(reply: FastifyReply, mostSeconds?: number): AbortSignal {
  const controller = new AbortController()
  if (reply.raw.destroyed) {
    // It went away before we came here, and is not going to say so again.
    controller.abort()
    return controller.signal
  }
  const timeUp = () => controller.abort(new ServiceError('ScanTimedOut', {}))
  const timer = mostSeconds === undefined ? undefined : setTimeout(timeUp, mostSeconds * 1_000)
  // Of the response, not of the socket: a connection that is kept alive would gather a listener for every request.
  reply.raw.once('close', () => {
    clearTimeout(timer)
    if (!reply.raw.writableFinished) controller.abort()
  })
  return controller.signal
}
