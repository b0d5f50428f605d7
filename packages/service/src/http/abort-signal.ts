import type { FastifyReply } from 'fastify'
import { ServiceError } from '../base/errors/service-error.ts'

/**
 * A signal that aborts when the client disconnects before its answer is sent, so that no work is done for a client that is gone,
 * and when the request's time-out expires (P167).
 */
export function abortSignalOf(reply: FastifyReply, timeoutMs?: number): AbortSignal {
  const controller = new AbortController()
  if (reply.raw.destroyed) {
    // The client disconnected before this point, and no further event will be emitted.
    controller.abort()
    return controller.signal
  }
  const timeUp = () => controller.abort(new ServiceError('ScanTimedOut', {}))
  const timer = timeoutMs === undefined ? undefined : setTimeout(timeUp, timeoutMs).unref()
  // Listens on the response, not on the socket: a keep-alive connection would collect a listener for every request.
  reply.raw.on('close', () => {
    clearTimeout(timer)
    if (!reply.raw.writableFinished) controller.abort()
  })
  return controller.signal
}

/** Calls `release` when the response is closed, or at once if nobody waits for it any more: then no event may come. */
export function releaseOnClose(reply: FastifyReply, signal: AbortSignal, release: () => void): void {
  if (signal.aborted) release()
  else reply.raw.on('close', release)
}
