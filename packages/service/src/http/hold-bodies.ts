import { limits, mediaTypes } from '@octavo/protocol'
import type { FastifyInstance } from 'fastify'
import type { Admission, Reservation } from '../guard/admit/admission.ts'

/**
 * Counts the bytes of bodies to their callers, from before they are read until they are answered (P395). Nothing is read of a body whose
 * request would be refused its turn (P165). Batches have places of their own.
 */
export function holdBodies(
  app: FastifyInstance,
  { refuseEarly, holdBody }: Pick<Admission, 'refuseEarly' | 'holdBody'>,
): void {
  const held = new WeakMap<object, { readonly body: Reservation; readonly bytesBefore: number }>()
  app.addHook('preParsing', (request, reply, payload, done) => {
    const { caller, raw } = request
    const declared = raw.headers['content-length']
    const hasBody = declared !== undefined || raw.headers['transfer-encoding'] !== undefined
    const { bodyType, right } = request.routeOptions.config.described ?? {}
    const isBatch = bodyType === mediaTypes.ndjson
    if (caller === undefined || !hasBody || isBatch) {
      done(null, payload)
      return
    }
    try {
      if (right === 'read') refuseEarly(caller.subject)
      const body = holdBody(caller.subject, Math.min(Number(declared ?? Infinity), limits.request.bodyBytes))
      if (reply.raw.destroyed) body.release()
      else reply.raw.on('close', body.release)
      if (declared === undefined) held.set(request, { body, bytesBefore: raw.socket.bytesRead })
      done(null, payload)
    } catch (refusal) {
      done(refusal as Error)
    }
  })
  // How long a body without a length is, is known once it is there.
  app.addHook('preValidation', (request, _reply, done) => {
    const { body, bytesBefore } = held.get(request) ?? {}
    if (body !== undefined && bytesBefore !== undefined) {
      body.keep(Math.min(request.raw.socket.bytesRead - bytesBefore, limits.request.bodyBytes))
    }
    done()
  })
}
