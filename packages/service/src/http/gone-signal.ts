import type { FastifyReply } from 'fastify'

/** Aborted when the client goes away before its answer is sent, so that nobody works for nobody. */
export function goneSignal(reply: FastifyReply): AbortSignal {
  const controller = new AbortController()
  // Of the response, not of the socket: a connection that is kept alive would gather a listener for every request.
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) controller.abort()
  })
  return controller.signal
}
