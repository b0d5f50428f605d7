import type { FastifyReply } from 'fastify'
import { ServiceError } from '../base/errors/service-error.ts'

/**
 * Aborted when the client goes away before its answer is sent, so that nothing is done for nobody, and when the time for the
 * request is up (P167).
 */
export function abortSignalOf(reply: FastifyReply, timeoutMs?: number): AbortSignal {
  const controller = new AbortController()
  if (reply.raw.destroyed) {
    // It went away before we came here, and there will be no other event.
    controller.abort()
    return controller.signal
  }
  const timeUp = () => controller.abort(new ServiceError('ScanTimedOut', {}))
  const timer = timeoutMs === undefined ? undefined : setTimeout(timeUp, timeoutMs).unref()
  // Of the response, not of the socket: a connection that is kept alive would gather a listener for every request.
  reply.raw.on('close', () => {
    clearTimeout(timer)
    if (!reply.raw.writableFinished) controller.abort()
  })
  return controller.signal
}
